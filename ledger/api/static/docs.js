// Starts the reference under /docs. The bundle before this module sets SwaggerUIBundle.

const reference = document.getElementById("reference");
const dark = matchMedia("(prefers-color-scheme: dark)");

function follow() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

follow();
dark.addEventListener("change", follow);

window.SwaggerUIBundle({
  domNode: reference,
  url: reference.dataset.openapi,
  validatorUrl: null, // the usual one would send our description to somebody else
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false, // a key is a secret: it is gone when the page is
});
