/** The gate of the platform's own pages, drawn on a field of 860 × 800 with its foot at the bottom. */
const GATE = { width: 860, height: 800, left: 390, top: 200 };

const roofs = [
  'M558 438H1082Q1100 488 1170 508Q1200 516 1216 482Q1210 526 1164 532Q820 526 476 532Q430 526 424 482Q440 516 470 508Q540 488 558 438Z',
  'M644 250H996Q1014 310 1092 338Q1122 346 1138 314Q1132 356 1086 362Q820 356 554 362Q508 356 502 314Q518 346 548 338Q626 310 644 250Z',
];
const eaves = [
  'M424 482Q430 526 476 532Q820 526 1164 532Q1210 526 1216 482',
  'M502 314Q508 356 554 362Q820 356 1086 362Q1132 356 1138 314',
];
const ridge =
  'M634 243H1006V257H634ZM634 244q-22-6-20-34q8 12 24 14q14 4 12 24zM1006 244q22-6 20-34q-8 12-24 14q-14 4-12 24z';
const floors = [
  { x: 538, y: 524, width: 564, height: 98, windows: 8 },
  { x: 614, y: 354, width: 412, height: 86, windows: 6 },
];

export function gateFrame(width, height) {
  const scale = Math.min((width * 0.96) / GATE.width, (height * 0.6) / GATE.height);
  return { scale, x: width / 2 - (GATE.width * scale) / 2, y: height - GATE.height * scale };
}

/** Whatever is drawn in the gate's own measures. */
function onGate(ctx, width, height, draw) {
  const { scale, x, y } = gateFrame(width, height);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(scale, scale);
  ctx.translate(-GATE.left, -GATE.top);
  draw();
  ctx.restore();
}

function vertical(ctx, y, height, ...stops) {
  const gradient = ctx.createLinearGradient(0, y, 0, y + height);
  for (const [index, colour] of stops.entries()) gradient.addColorStop(index / (stops.length - 1), colour);
  return gradient;
}

function disc(ctx, x, y, radius, colour, strength) {
  const light = ctx.createRadialGradient(x, y, 0, x, y, radius);
  light.addColorStop(0, `rgb(${colour} / ${strength}%)`);
  light.addColorStop(1, `rgb(${colour} / 0%)`);
  ctx.fillStyle = light;
  ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

/** Repeatable noise: the same sky for the same size. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

export function drawSky(ctx, width, height) {
  const random = seeded(7);
  ctx.fillStyle = vertical(ctx, 0, height, '#060b16', '#0f2133', '#274450', '#6a5a42');
  ctx.fillRect(0, 0, width, height);
  for (let star = 0; star < 150; star += 1) {
    ctx.fillStyle = `rgb(225 236 245 / ${Math.round(15 + random() * 65)}%)`;
    const size = 0.5 + random() * 1.2;
    ctx.fillRect(random() * width, random() ** 1.6 * height * 0.62, size, size);
  }
  const [moonX, moonY, moon] = [width * 0.8, height * 0.19, Math.min(width, height) * 0.065];
  disc(ctx, moonX, moonY, moon * 6, '207 227 234', 34);
  ctx.fillStyle = '#eaf2ee';
  ctx.beginPath();
  ctx.arc(moonX, moonY, moon, 0, 7);
  ctx.fill();
  for (const [colour, base, rise] of [
    ['#2b4a59', 0.66, 0.14],
    ['#1c3442', 0.74, 0.1],
    ['#12232e', 0.82, 0.07],
  ]) {
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.moveTo(0, height);
    for (let x = 0; x <= width + 40; x += 40)
      ctx.lineTo(x, height * (base - rise * Math.abs(Math.sin(x / (90 + 300 * base) + base * 30))));
    ctx.lineTo(width, height);
    ctx.fill();
  }
}

export function drawGate(ctx, width, height) {
  onGate(ctx, width, height, () => {
    wall(ctx, width, height);
    disc(ctx, 820, 640, 620, '242 154 60', 22);
    ctx.fillStyle = vertical(ctx, 640, 360, '#222e37', '#131b22', '#0a0f14');
    ctx.fill(new Path2D('M390 1000L428 640H1212L1250 1000Z'));
    crenels(ctx, 428, 1212, 616, '#27343d');
    disc(ctx, 820, 930, 300, '255 170 80', 60);
    ctx.fillStyle = '#080b0e';
    ctx.fill(new Path2D('M681 1000V840a139 139 0 0 1 278 0V1000Z'));
    ctx.fillStyle = vertical(ctx, 730, 270, '#5a2a10', '#c4762c', '#ffd487');
    ctx.fill(new Path2D('M708 1000V844a112 112 0 0 1 224 0V1000Z'));
    ctx.fillStyle = '#4d1510';
    ctx.fill(new Path2D('M708 1000V838L750 858V1000ZM932 1000V838L890 858V1000Z'));
    for (const { x, y, width: wide, height: high } of floors) {
      ctx.fillStyle = '#23100a';
      ctx.fillRect(x, y, wide, high);
    }
    windows(ctx, '#1a2026');
    for (const [index, roof] of roofs.entries()) {
      ctx.fillStyle = vertical(ctx, index === 0 ? 438 : 250, 94, '#0d151c', '#2a3b45');
      ctx.fill(new Path2D(roof));
      ctx.strokeStyle = '#c07f35';
      ctx.lineWidth = 5;
      ctx.stroke(new Path2D(eaves[index]));
    }
    ctx.fillStyle = '#5a707a';
    ctx.fill(new Path2D(ridge));
    ctx.fillStyle = '#e8b35c';
    ctx.fill(new Path2D('M820 244l-9-16 9-20 9 20z'));
  });
}

/** The gate's windows, lit: laid over the gate as far as the minute's score has come. */
export function drawGateLights(ctx, width, height) {
  onGate(ctx, width, height, () => {
    disc(ctx, 820, 470, 520, '255 190 100', 42);
    windows(ctx, '#ffd487');
    for (const [x, y] of [
      [490, 578],
      [650, 578],
      [990, 578],
      [1150, 578],
      [568, 399],
      [1072, 399],
    ]) {
      disc(ctx, x, y, 80, '255 150 70', 70);
      ctx.fillStyle = '#ff8a4a';
      ctx.beginPath();
      ctx.ellipse(x, y, 24, 21, 0, 0, 7);
      ctx.fill();
    }
  });
}

function windows(ctx, colour) {
  ctx.fillStyle = colour;
  for (const { x, y, width, height, windows: count } of floors) {
    const each = width / count;
    for (let index = 0; index < count; index += 1)
      ctx.fillRect(x + index * each + 9, y + 12, each - 18, height - 24);
  }
}

/** The city wall runs on to both sides, however wide the screen is. */
function wall(ctx, width, height) {
  const reach = width / gateFrame(width, height).scale;
  const [from, to] = [820 - reach, 820 + reach];
  ctx.fillStyle = vertical(ctx, 830, 170, '#18232c', '#0a0f14');
  ctx.fillRect(from, 830, to - from, 170);
  crenels(ctx, from, to, 806, '#18232c');
  for (let x = 120; x < reach; x += 260) {
    for (const torch of [820 - 480 - x, 820 + 480 + x]) disc(ctx, torch, 800, 80, '255 180 90', 55);
  }
}

function crenels(ctx, from, to, y, colour) {
  ctx.fillStyle = colour;
  for (let x = from; x < to - 20; x += 46) ctx.fillRect(x, y, 30, 26);
}
