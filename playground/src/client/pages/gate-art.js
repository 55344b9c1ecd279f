import { disc, vertical, within } from '/playground/client/brush.js';

/** The gate of the platform's own pages, in the same coordinates. */
const GATE = { left: 390, top: 200, width: 860, height: 800 };

const base = 'M390 1000L428 640H1212L1250 1000Z';
const roofs = [
  {
    shape:
      'M558 438H1082Q1100 488 1170 508Q1200 516 1216 482Q1210 526 1164 532Q820 526 476 532Q430 526 424 482Q440 516 470 508Q540 488 558 438Z',
    eave: 'M424 482Q430 526 476 532Q820 526 1164 532Q1210 526 1216 482',
    top: 438,
  },
  {
    shape:
      'M644 250H996Q1014 310 1092 338Q1122 346 1138 314Q1132 356 1086 362Q820 356 554 362Q508 356 502 314Q518 346 548 338Q626 310 644 250Z',
    eave: 'M502 314Q508 356 554 362Q820 356 1086 362Q1132 356 1138 314',
    top: 250,
  },
];
const ridge =
  'M634 243H1006V257H634ZM634 244q-22-6-20-34q8 12 24 14q14 4 12 24zM1006 244q22-6 20-34q-8 12-24 14q-14 4-12 24z';
const floors = [
  { x: 538, y: 524, width: 564, height: 98, windows: 8 },
  { x: 614, y: 354, width: 412, height: 86, windows: 6 },
];
const lamps = [
  [490, 578],
  [650, 578],
  [990, 578],
  [1150, 578],
  [568, 399],
  [1072, 399],
  [588, 751],
  [1052, 751],
];

function scaleOf(width, height) {
  return Math.min((width * 0.96) / GATE.width, (height * 0.6) / GATE.height);
}

function onGate(ctx, width, height, draw) {
  const scale = scaleOf(width, height);
  ctx.save();
  ctx.translate(width / 2, height);
  ctx.scale(scale, scale);
  ctx.translate(-GATE.left - GATE.width / 2, -GATE.top - GATE.height);
  draw();
  ctx.restore();
}

export function drawGate(ctx, width, height) {
  onGate(ctx, width, height, () => {
    wall(ctx, width / scaleOf(width, height));
    disc(ctx, 820, 640, 640, '242 154 60', 24);
    body(ctx);
    arch(ctx);
    for (const floor of floors) storey(ctx, floor);
    for (const roof of roofs) tiles(ctx, roof);
    ctx.fillStyle = '#5a707a';
    ctx.fill(new Path2D(ridge));
    ctx.fillStyle = '#e8b35c';
    ctx.fill(new Path2D('M820 244l-9-16 9-20 9 20z'));
    for (const lamp of lamps) hang(ctx, lamp, '#5c1e18');
  });
}

/** The gate's lit lamps and windows, drawn over the gate in proportion to the score. */
export function drawGateLights(ctx, width, height) {
  onGate(ctx, width, height, () => {
    disc(ctx, 820, 470, 560, '255 190 100', 46);
    for (const floor of floors)
      panes(floor, (x, y, wide, high) => {
        ctx.fillStyle = vertical(ctx, y, high, '#d9832f', '#ffe0a0', '#e9983e');
        ctx.fillRect(x, y, wide, high);
        lattice(ctx, x, y, wide, high);
      });
    for (const lamp of lamps) {
      disc(ctx, lamp[0], lamp[1], 110, '255 150 70', 85);
      hang(ctx, lamp, '#ff7b3d');
    }
  });
}

function body(ctx) {
  const shape = new Path2D(base);
  ctx.fillStyle = vertical(ctx, 640, 360, '#2a3741', '#18222a', '#0b1015');
  ctx.fill(shape);
  within(ctx, shape, () => {
    ctx.strokeStyle = 'rgb(4 8 11 / 50%)';
    ctx.lineWidth = 2;
    ctx.beginPath();
    for (let row = 0; row < 14; row += 1) {
      const y = 662 + row * 25;
      ctx.moveTo(380, y);
      ctx.lineTo(1260, y);
      for (let x = 380 + (row % 2) * 29; x < 1260; x += 58) {
        ctx.moveTo(x, y);
        ctx.lineTo(x, y + 25);
      }
    }
    ctx.stroke();
  });
  crenels(ctx, 428, 1212, 614, '#2c3943');
  for (const x of [468, 1128]) {
    ctx.fillStyle = '#7c2015';
    ctx.fill(new Path2D(`M${x} 690h44v150l-22-20-22 20z`));
    ctx.fillStyle = '#d9a24e';
    ctx.fillRect(x, 690, 44, 10);
  }
}

function arch(ctx) {
  disc(ctx, 820, 930, 320, '255 170 80', 70);
  ctx.fillStyle = '#080b0e';
  ctx.fill(new Path2D('M681 1000V840a139 139 0 0 1 278 0V1000Z'));
  ctx.fillStyle = vertical(ctx, 730, 270, '#5a2a10', '#c4762c', '#ffd487');
  ctx.fill(new Path2D('M708 1000V844a112 112 0 0 1 224 0V1000Z'));
  ctx.fillStyle = 'rgb(94 47 16 / 50%)';
  ctx.fill(
    new Path2D('M708 1000V844a112 112 0 0 1 224 0V1000ZM734 1000V872a86 86 0 0 1 172 0V1000Z'),
    'evenodd',
  );
  ctx.fillStyle = '#4d1510';
  ctx.fill(new Path2D('M708 1000V838L750 858V1000ZM932 1000V838L890 858V1000Z'));
  ctx.fillStyle = '#e0a650';
  for (let y = 884; y < 1000; y += 26) {
    for (const x of [720, 731, 742, 898, 909, 920]) ctx.fillRect(x - 2.5, y - 2.5, 5, 5);
  }
  ctx.fillStyle = '#101820';
  ctx.fillRect(746, 658, 148, 44);
  ctx.strokeStyle = '#c58a3a';
  ctx.lineWidth = 4;
  ctx.strokeRect(746, 658, 148, 44);
  ctx.lineWidth = 2.6;
  ctx.stroke(
    new Path2D('M807 696v-30h10v11h-10M807 671h10M833 696v-30h-10v11h10M823 671h10M762 680h28M850 680h28'),
  );
}

function storey(ctx, floor) {
  const { x, y, width, height, windows } = floor;
  ctx.fillStyle = '#23100a';
  ctx.fillRect(x, y, width, height);
  panes(floor, (left, top, wide, high) => {
    ctx.fillStyle = '#1c242b';
    ctx.fillRect(left, top, wide, high);
    lattice(ctx, left, top, wide, high);
  });
  ctx.fillStyle = '#6b1d14';
  for (let column = 0; column <= windows; column += 1)
    ctx.fillRect(x - 5 + (column * width) / windows, y, 10, height);
}

function panes({ x, y, width, height, windows }, draw) {
  const each = width / windows;
  for (let index = 0; index < windows; index += 1) draw(x + index * each + 9, y + 12, each - 18, height - 24);
}

function lattice(ctx, x, y, width, height) {
  ctx.strokeStyle = 'rgb(45 18 8 / 75%)';
  ctx.lineWidth = 3;
  ctx.beginPath();
  for (const part of [1 / 3, 2 / 3]) {
    ctx.moveTo(x + width * part, y);
    ctx.lineTo(x + width * part, y + height);
    ctx.moveTo(x, y + height * part);
    ctx.lineTo(x + width, y + height * part);
  }
  ctx.stroke();
}

function tiles(ctx, { shape, eave, top }) {
  const roof = new Path2D(shape);
  ctx.fillStyle = vertical(ctx, top, 96, '#0d151c', '#2c3e48');
  ctx.fill(roof);
  within(ctx, roof, () => {
    ctx.strokeStyle = 'rgb(120 150 162 / 22%)';
    ctx.lineWidth = 4;
    ctx.beginPath();
    for (let column = -40; column <= 40; column += 1) {
      ctx.moveTo(820 + column * 8, top);
      ctx.quadraticCurveTo(820 + column * 9, top + 60, 820 + column * 13, top + 110);
    }
    ctx.stroke();
  });
  ctx.strokeStyle = '#c07f35';
  ctx.lineWidth = 5;
  ctx.stroke(new Path2D(eave));
}

function hang(ctx, [x, y], colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.ellipse(x, y, 24, 21, 0, 0, 7);
  ctx.fill();
  ctx.fillStyle = '#d9a24e';
  ctx.fillRect(x - 10, y - 24, 20, 5);
  ctx.fillRect(x - 10, y + 19, 20, 5);
  ctx.fillRect(x - 1, y - 44, 2, 20);
  for (const dx of [-5, 0, 5]) ctx.fillRect(x + dx - 1, y + 24, 2, 18);
}

/** Extends the city wall to both sides, for any screen width. */
function wall(ctx, reach) {
  const [from, to] = [820 - reach / 2 - 40, 820 + reach / 2 + 40];
  ctx.fillStyle = vertical(ctx, 832, 168, '#1d2a33', '#0a0f14');
  ctx.fillRect(from, 832, to - from, 168);
  crenels(ctx, from, to, 808, '#1d2a33');
  for (let x = 560; x < reach / 2 + 60; x += 250) {
    for (const torch of [820 - x, 820 + x]) {
      disc(ctx, torch, 786, 110, '255 180 90', 75);
      ctx.fillStyle = '#05080b';
      ctx.fillRect(torch - 4, 798, 8, 34);
      ctx.fillStyle = '#ffdf9c';
      ctx.fill(new Path2D(`M${torch} 768q11 15 6 30h-12q-5-15 6-30z`));
    }
  }
}

function crenels(ctx, from, to, y, colour) {
  ctx.fillStyle = colour;
  for (let x = from; x < to - 20; x += 46) ctx.fillRect(x, y, 30, 28);
}
