// Finds a refusal on its page: what has not the words that are typed is hidden.

const field = document.getElementById("find");
const sheets = [...document.querySelectorAll(".sheet")];

function has(element, words) {
  return element.textContent.toLowerCase().includes(words);
}

function find() {
  const words = field.value.trim().toLowerCase();
  for (const sheet of sheets) {
    const articles = [...sheet.querySelectorAll("article")];
    for (const article of articles) article.hidden = !has(article, words);
    sheet.hidden = articles.every((article) => article.hidden);
    document.querySelector(`.toc a[href="#${sheet.id}"]`).hidden = sheet.hidden;
  }
  document.getElementById("nothing").hidden = sheets.some((sheet) => !sheet.hidden);
}

// A link to a refusal must find it in sight.
function show() {
  field.value = "";
  find();
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

field.parentElement.hidden = false;
field.addEventListener("input", find);
addEventListener("hashchange", show);
