import { speaker } from '/playground/language.js';
import { texts } from '/playground/mail/texts.js';

const POLL_MS = 1200;
const LIFETIME_MS = 60_000;

const words = speaker(texts);
const { say } = words;
const [list, empty, state, template] = ['mails', 'empty', 'state', 'mail'].map((id) =>
  document.getElementById(id),
);

let mails = [];
let reached = true;
/** Offset of the server's clock, which lifetimes are measured by. */
let ahead = 0;
const shown = new Map();

async function poll() {
  try {
    const answer = await fetch('/playground/mail/messages.json', { cache: 'no-store' });
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
    const { now, messages } = await answer.json();
    ahead = now - Date.now();
    mails = messages;
    reached = true;
  } catch {
    reached = false;
  }
  show();
  setTimeout(poll, POLL_MS);
}

function cardOf(mail) {
  const card = template.content.cloneNode(true).firstElementChild;
  card.querySelector('.subject').textContent = mail.subject;
  if (mail.code === null) {
    card.querySelector('.of-code').remove();
    card.querySelector('.text').append(...withLinks(mail.text));
    return card;
  }
  card.querySelector('.text').remove();
  card.querySelector('.code').textContent = mail.code;
  const button = card.querySelector('.copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(mail.code);
    button.dataset.copied = String(Date.now());
    show();
  });
  return card;
}

/** Splits a text into strings and links. */
function withLinks(text) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => {
    if (index % 2 === 0) return part;
    const link = document.createElement('a');
    link.href = part;
    link.textContent = part;
    return link;
  });
}

/** Newest on top. An existing card changes only its clock. */
function show() {
  for (const [id, card] of shown) if (!mails.some((mail) => mail.id === id)) card.remove();
  let previous = null;
  for (const mail of mails) {
    const card = shown.get(mail.id) ?? cardOf(mail);
    if (!card.isConnected) previous ? previous.after(card) : list.prepend(card);
    shown.set(mail.id, card);
    tell(card, mail);
    previous = card;
  }
  empty.hidden = mails.length > 0 || !reached;
  const status = say(reached ? 'live' : 'away');
  if (state.textContent !== status) state.textContent = status;
  state.classList.toggle('away', !reached);
  const waiting = mails.find((mail) => left(mail) > 0 && mail.code);
  document.title = `${waiting ? say('waiting', { code: waiting.code }) : say('title')} · Gatehouse playground`;
}

const left = (mail) => mail.expires_at - (Date.now() + ahead);

function tell(card, mail) {
  card.querySelector('.to').textContent = say('to', { to: mail.to });
  card.querySelector('time').textContent = new Date(mail.sent_at).toLocaleTimeString(words.language);
  card.querySelector('time').dateTime = new Date(mail.sent_at).toISOString();
  if (mail.code === null) return;
  const remaining = left(mail);
  const button = card.querySelector('.copy');
  card.classList.toggle('expired', remaining <= 0);
  card.querySelector('.life span').style.width = `${Math.max(0, (100 * remaining) / LIFETIME_MS)}%`;
  card.querySelector('.left').textContent =
    remaining > 0 ? say('left', { seconds: Math.ceil(remaining / 1000) }) : say('expired');
  button.textContent = say(Date.now() - Number(button.dataset.copied ?? 0) < 1500 ? 'copied' : 'copy');
}

document.getElementById('language').addEventListener('click', () => {
  words.other();
  show();
});

words.speak();
setInterval(show, 1000);
poll();
