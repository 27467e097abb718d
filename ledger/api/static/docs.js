// Starts the reference under /docs. The bundle before this module sets SwaggerUIBundle.

const KEPT = "paizhang-key";
const reference = document.getElementById("reference");
const dark = matchMedia("(prefers-color-scheme: dark)");

function follow() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

// What is tried here is tried in the reader's own club: a field that held an id, a version or a
// command id of the examples would only be refused, or be taken for a retry.
function empty(parameter) {
  const isId = parameter.schema?.pattern !== undefined;
  if (parameter.in !== "path" || isId) delete parameter.example;
  if (parameter.name === "Idempotency-Key") {
    parameter.required = false;
    parameter.description += " Left empty here, each request gets a new one.";
  }
}

function readied(description) {
  for (const path of Object.values(description.paths)) {
    for (const part of [path, ...Object.values(path)]) (part.parameters ?? []).forEach(empty);
  }
  Object.values(description.components.parameters).forEach(empty);
  description.components.securitySchemes.key.description +=
    " This tab keeps it until you log out here or close the tab; it is stored nowhere else.";
  return description;
}

function withKey(request) {
  const given = request.headers["Idempotency-Key"];
  if (request.method === "POST" && !given) request.headers["Idempotency-Key"] = newKey();
  return request;
}

// crypto.randomUUID is there on secure addresses alone, and a club's server may have none.
function newKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(12))];
  return `docs-${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

// A key is a secret: it outlasts a reload, and goes with its tab.
const keeping = {
  authorize: (next) => (given) => {
    sessionStorage.setItem(KEPT, given.key.value);
    return next(given);
  },
  logout: (next) => (names) => {
    sessionStorage.removeItem(KEPT);
    return next(names);
  },
};

follow();
dark.addEventListener("change", follow);

const answer = await fetch(reference.dataset.openapi);
const ui = window.SwaggerUIBundle({
  domNode: reference,
  spec: readied(await answer.json()),
  validatorUrl: null, // the usual one would send our description to somebody else
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  requestInterceptor: withKey,
  plugins: [() => ({ statePlugins: { auth: { wrapActions: keeping } } })],
  onComplete: () => {
    const kept = sessionStorage.getItem(KEPT);
    if (kept !== null) ui.preauthorizeApiKey("key", kept);
  },
});
