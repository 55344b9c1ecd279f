import { newChimes } from '/playground/client/chimes.js';
import { connect, Refused } from '/playground/client/game-server.js';
import { isFramed, leave, receiveEntry } from '/playground/client/handover.js';
import { newHud } from '/playground/client/hud.js';
import { newPainter } from '/playground/client/painter.js';
import { newRound } from '/playground/client/round.js';
import { texts } from '/playground/client/texts.js';
import { speaker } from '/playground/language.js';

const PATIENCE_MS = 4000;
const LONGEST_FRAME_S = 0.05;

const words = speaker(texts);
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const field = document.getElementById('field');
const painter = newPainter(document.getElementById('sky'), calm);
const chimes = newChimes();
const hud = newHud(words, chimes);

let round = null;
let server = null;
let before = performance.now();

/** Runs continuously. A hidden page gets no frames, so the round pauses. */
function frame(now) {
  const seconds = Math.min(LONGEST_FRAME_S, (now - before) / 1000);
  before = now;
  if (round && round.left > 0) {
    round.step(seconds);
    hud.playing(round);
    if (round.left === 0) finish();
  }
  painter.frame(round, seconds);
  requestAnimationFrame(frame);
}

function start() {
  chimes.wake();
  painter.clear();
  round = newRound({ ...painter.size(), calm });
  hud.begin();
  // Make the field focusable only while there is something to light.
  field.tabIndex = 0;
  field.focus();
}

function lit(outcome) {
  if (!outcome) return;
  painter.celebrate(outcome);
  chimes.strike(round.streak, outcome.gained);
  server?.earn(outcome.gained);
}

async function finish() {
  const { score } = round;
  round.lanterns = [];
  field.tabIndex = -1;
  hud.finished(round, { start, kept: server !== null });
  while (server) {
    const kept = await server.settled().catch((error) => {
      if (error instanceof Refused) refused();
      return false;
    });
    if (server === null) return;
    hud.note(kept ? 'saved' : 'unsaved', { amount: score });
    if (kept || round.left > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}

function refused() {
  if (round) round.left = 0;
  server = null;
  hud.refused();
}

async function enter(entry) {
  hud.entering(entry);
  try {
    server = await connect(entry, { onBalance: hud.balance, onRefused: refused });
    hud.ready({ entry, role: server.role, start });
  } catch (error) {
    if (error instanceof Refused) refused();
    else hud.unreachable(() => enter(entry));
  }
}

const playing = () => round !== null && round.left > 0;

field.addEventListener('pointerdown', (event) => {
  if (!playing()) return;
  event.preventDefault();
  lit(round.tap(event.clientX, event.clientY));
});

field.addEventListener('keydown', (event) => {
  if (!playing()) return;
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (direction) round.choose(direction);
  else if (event.key !== ' ' && event.key !== 'Enter') return;
  else if (!event.repeat) lit(round.lightChosen());
  event.preventDefault();
});

addEventListener('resize', painter.resize);
document.documentElement.classList.toggle('framed', isFramed);
document.getElementById('leave').addEventListener('click', leave);

let entered = false;
receiveEntry((entry) => {
  if (entered) return;
  entered = true;
  void enter(entry);
});
setTimeout(() => entered || hud.stranger(start), isFramed ? PATIENCE_MS : 0);
requestAnimationFrame(frame);
