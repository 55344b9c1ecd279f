import { expect, test } from 'vitest';
import { failureOf, messageOf } from './message.ts';

const context = { gameName: 'Legend', timeZone: 'UTC' };
const banned = JSON.stringify({
  type: 'player.banned',
  timestamp: '2026-11-17T10:00:00.000Z',
  data: { player_id: 7, account: 'eve\n@everyone', reason: 'bot', until: null, by: 'olga' },
});

test('when the format is a group chat, then the event is one line in the language of the webhook', () => {
  const sent = (format: 'discord' | 'wecom' | 'dingtalk', language: 'en' | null) =>
    JSON.parse(messageOf({ format, language }, banned, context));
  expect(sent('discord', 'en')).toEqual({
    content: '[Legend] olga banned eve @everyone (7): bot',
    allowed_mentions: { parse: [] },
  });
  const text = '[Legend] olga 封停了 eve @everyone（7），原因：bot';
  expect(sent('wecom', null)).toEqual({ msgtype: 'text', text: { content: text } });
  expect(sent('dingtalk', null)).toEqual({ msgtype: 'text', text: { content: text } });
  expect(messageOf({ format: 'standard', language: null }, banned, context)).toBe(banned);
});

test('when a name is a Markdown link, then Discord shows it as text', () => {
  const data = { player_id: 7, account: '[open](https://evil.example)', reason: '**x**', by: 'olga' };
  const event = JSON.stringify({
    type: 'player.banned',
    data: { ...data, until: '2026-11-17T10:00:00.000Z' },
  });
  const { content } = JSON.parse(messageOf({ format: 'discord', language: 'en' }, event, context));
  expect(content).toContain('\\[open\\]\\(https://evil.example\\) (7) until 2026');
  expect(content).toMatch(/: \\\*\\\*x\\\*\\\*$/);
});

test.each([
  ['standard', 204, '', null],
  ['standard', 302, '', 'answered 302'],
  ['discord', 429, '{}', 'answered 429'],
  ['wecom', 200, '{"errcode":0,"errmsg":"ok"}', null],
  ['wecom', 200, '{"errcode": 93000,"errmsg":"invalid webhook url"}', 'answered errcode 93000'],
  ['dingtalk', 200, 'hello', 'answered errcode missing'],
] as const)('when %s is answered %s %s, then the failure is %s', (format, status, answer, failure) => {
  expect(failureOf(format, { status, answer, error: null })).toBe(failure);
});
