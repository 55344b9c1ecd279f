/** The page's script: search, opening the operation of the address, and forms to try an operation. */
export const docsScript = `
const $ = (id) => document.getElementById(id);
const articles = [...document.querySelectorAll('article')];
const main = document.querySelector('main');

function openTarget() {
  const target = $(decodeURIComponent(location.hash.slice(1)));
  const details = target?.querySelector(':scope > details');
  if (details) { details.open = true; target.scrollIntoView(); }
}
addEventListener('hashchange', openTarget);
openTarget();

$('search').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const each of articles) {
    const text = each.textContent.toLowerCase();
    each.hidden = !words.every((word) => text.includes(word));
  }
  for (const section of document.querySelectorAll('section'))
    section.hidden = words.length > 0 && ![...section.querySelectorAll('article')].some((each) => !each.hidden);
  $('nothing').hidden = articles.some((each) => !each.hidden);
});

function field(form, name, value, area) {
  const label = form.appendChild(document.createElement('label'));
  label.textContent = name;
  const input = label.appendChild(document.createElement(area ? 'textarea' : 'input'));
  input.value = value;
  input.spellcheck = false;
  return input;
}

function tryForm(article) {
  const { method, path, params, query } = article.dataset;
  const form = document.createElement('form');
  const fields = (text) => [...new URLSearchParams(text)].map(([name, value]) => [name, field(form, name, value)]);
  const inPath = fields(params);
  const inQuery = fields(query);
  const example = article.querySelector('.body')?.textContent;
  const body = example && field(form, 'body', example, true);
  const button = form.appendChild(document.createElement('button'));
  button.textContent = main.dataset.send;
  const output = form.appendChild(document.createElement('pre'));
  output.setAttribute('role', 'status');
  output.tabIndex = 0;
  output.hidden = true;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    let url = path;
    for (const [name, input] of inPath) url = url.replace(':' + name, encodeURIComponent(input.value));
    const given = inQuery.filter(([, input]) => input.value !== '').map(([name, input]) => [name, input.value]);
    if (given.length > 0) url += '?' + new URLSearchParams(given);
    const token = $('token').value.trim();
    const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: 'Bearer ' + token }) };
    try {
      const response = await fetch(url, { method, headers, redirect: 'manual', ...(body && { body: body.value }) });
      const text = await response.text();
      let shown = text;
      try {
        const answer = JSON.parse(text);
        if (answer.token_type) $('token').value = answer.token;
        shown = JSON.stringify(answer, null, 2);
      } catch {}
      output.textContent = response.status + ' ' + (response.headers.get('content-type') ?? response.type) + '\\n\\n' + shown;
    } catch {
      output.textContent = main.dataset.failed;
    }
    output.hidden = false;
    button.disabled = false;
  });
  return form;
}

for (const button of document.querySelectorAll('.try'))
  button.addEventListener('click', () => {
    const form = tryForm(button.closest('article'));
    button.replaceWith(form);
    form.querySelector('input,textarea,button').focus();
  });
`;
