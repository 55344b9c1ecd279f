import { mount } from '@vue/test-utils';
import { afterEach, expect, test } from 'vitest';
import { defineComponent, h, nextTick, ref, useTemplateRef } from 'vue';
import { useDismiss } from './use-dismiss.ts';

const open = ref(false);
let mounted: ReturnType<typeof openMenu> | undefined;
let closed = 0;

function openMenu() {
  const menu = defineComponent({
    setup() {
      useDismiss(open, useTemplateRef<HTMLElement>('menu'), () => {
        closed += 1;
        open.value = false;
      });
      return () => [
        h('div', { ref: 'menu' }, [h('button', { id: 'inside' })]),
        h('button', { id: 'outside' }),
      ];
    },
  });
  return mount(menu, { attachTo: document.body });
}

async function opened() {
  mounted = openMenu();
  open.value = true;
  await nextTick();
}

const dispatch = (on: string, event: Event) => document.querySelector(on)?.dispatchEvent(event);
const bubbling = { bubbles: true };

afterEach(() => {
  mounted?.unmount();
  open.value = false;
  closed = 0;
});

test.each(['pointerdown', 'focusin'])(
  'when %s happens elsewhere, then it closes without moving the focus',
  async (type) => {
    await opened();
    dispatch('#inside', new Event(type, bubbling));
    expect(open.value).toBe(true);
    dispatch('#outside', new Event(type, bubbling));
    expect([open.value, closed]).toEqual([false, 0]);
  },
);

test('when Escape is pressed, then the owner closes it', async () => {
  await opened();
  dispatch('#inside', new KeyboardEvent('keydown', { key: 'a', ...bubbling }));
  expect(open.value).toBe(true);
  dispatch('#inside', new KeyboardEvent('keydown', { key: 'Escape', ...bubbling }));
  expect([open.value, closed]).toEqual([false, 1]);
});

test('when it is closed or unmounted, then it has no listeners', async () => {
  await opened();
  open.value = false;
  await nextTick();
  dispatch('#inside', new KeyboardEvent('keydown', { key: 'Escape', ...bubbling }));
  expect(closed).toBe(0);
  open.value = true;
  await nextTick();
  mounted?.unmount();
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  expect(closed).toBe(0);
});
