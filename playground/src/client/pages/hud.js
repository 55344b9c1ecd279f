import { drawLantern } from '/playground/client/lantern-art.js';
import { ROUND_SECONDS } from '/playground/client/round.js';

const RECORD_KEY = 'playground.record';

/** Everything around the picture: names, balance, clock, and the card between two rounds. */
export function newHud(words, chimes) {
  const { say } = words;
  const part = (id) => document.getElementById(id);
  const number = (value) => value.toLocaleString(words.language);
  const put = (id, text) => {
    if (part(id).textContent !== text) part(id).textContent = text;
  };
  let onStart = () => {};

  function card(screen, { title, lead, action, values = {} }) {
    document.body.dataset.screen = screen;
    put('title', say(title, values));
    put('lead', lead ? say(lead, values) : '');
    put('note', '');
    part('result').hidden = screen !== 'done';
    part('legend').hidden = screen !== 'ready';
    part('withdraw').hidden = true;
    part('start').hidden = action === undefined;
    if (action) put('start', say(action));
    part('card').focus({ preventScroll: true });
  }

  function record(score) {
    try {
      const best = Math.max(score, Number(localStorage.getItem(RECORD_KEY) ?? 0));
      localStorage.setItem(RECORD_KEY, String(best));
      return best;
    } catch {
      return score;
    }
  }

  const showSound = () => part('sound').setAttribute('aria-pressed', String(chimes.isOn()));
  part('sound').addEventListener('click', () => {
    chimes.toggle();
    showSound();
  });
  part('start').addEventListener('click', () => onStart());

  for (const sample of document.querySelectorAll('.sample')) {
    const ctx = sample.getContext('2d');
    ctx.translate(sample.width / 2, sample.height * 0.46);
    drawLantern(ctx, sample.dataset.kind, { lit: true, radius: sample.dataset.kind === 'gold' ? 24 : 27 });
  }
  words.speak();
  showSound();
  card('waiting', { title: 'waitingTitle', lead: 'waitingLead' });

  return {
    balance: (value) => put('balance', number(value)),
    note: (key, values) => put('note', say(key, values)),

    entering({ account, server }) {
      put('role', account);
      put('zone', server.name);
      card('waiting', { title: 'waitingTitle', lead: 'entering', values: { zone: server.name } });
    },

    ready({ entry, role, start }) {
      onStart = start;
      put('role', role.name);
      put(
        'zone',
        role.name === entry.account ? entry.server.name : `${entry.account} · ${entry.server.name}`,
      );
      part('withdraw').href = '/withdraw';
      card('ready', { title: 'readyTitle', lead: 'readyLead', action: 'start' });
      put('note', matchMedia('(pointer: fine)').matches ? say('keys') : '');
    },

    stranger(start) {
      onStart = start;
      put('role', say('practice'));
      card('ready', { title: 'strangerTitle', lead: 'stranger', action: 'practise' });
    },

    begin() {
      document.body.dataset.screen = 'playing';
      put('announce', say('go'));
    },

    playing(round) {
      put('score', number(round.score));
      put('streak', round.times() > 1 ? `×${round.times()}` : '');
      part('clock').style.transform = `scaleX(${round.left / ROUND_SECONDS})`;
      part('clock').classList.toggle('late', round.left < 10);
    },

    finished(round, { start, kept }) {
      onStart = start;
      card('done', {
        title: 'doneTitle',
        lead: 'doneLead',
        action: 'again',
        values: { score: number(round.score) },
      });
      put('lit', number(round.lit));
      put('longest', number(round.longest));
      put('record', number(record(round.score)));
      part('withdraw').hidden = !kept;
      put('note', kept ? say('saving') : '');
      put('announce', say('over', { score: number(round.score) }));
    },

    refused: () => card('trouble', { title: 'refusedTitle', lead: 'refused' }),

    unreachable(retry) {
      onStart = retry;
      card('trouble', { title: 'refusedTitle', lead: 'unreachable', action: 'retry' });
    },
  };
}
