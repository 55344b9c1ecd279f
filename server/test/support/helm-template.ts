import { createHash } from 'node:crypto';
import { stringifyYaml } from '@redocly/openapi-core';

/** The values a template sees: `.Values`, `.Release` and so on. */
type Scope = { readonly [name: string]: unknown };

type Node =
  | { readonly text: string }
  | { readonly expression: string }
  | {
      readonly block: 'if' | 'with';
      readonly expression: string;
      readonly body: Node[];
      readonly otherwise: Node[];
    };

const functions: { readonly [name: string]: (...args: never[]) => unknown } = {
  toYaml: (value: unknown) => stringifyYaml(value).trimEnd(),
  nindent: (width: number, text: string) => `\n${text.replace(/^(?=.)/gm, ' '.repeat(width))}`,
  sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
  not: (value: unknown) => !isTrue(value),
};

/**
 * Renders the part of Go's templates that the chart uses: values, pipes, `if`, `else`, `with` and four of Helm's functions. Anything
 * else is refused, as is a value that does not exist.
 */
export function renderTemplate(source: string, scope: Scope): string {
  const nodes = parse(tokens(source), undefined);
  return renderAll(nodes, scope);
}

/** Splits a template into texts and actions. A dash in an action removes the white space on its side. */
function tokens(source: string): ({ text: string } | { action: string })[] {
  return source
    .replace(/\s*\{\{-/g, '{{')
    .replace(/-\}\}\s*/g, '}}')
    .split(/(\{\{.*?\}\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{{') ? { action: part.slice(2, -2).trim() } : { text: part }));
}

function parse(rest: ReturnType<typeof tokens>, within: string | undefined): Node[] {
  const nodes: Node[] = [];
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    if ('text' in token) nodes.push(token);
    else if (token.action === 'end' || token.action === 'else') {
      if (within === undefined) throw new Error(`${token.action} without a block`);
      rest.unshift(token);
      return nodes;
    } else {
      const [, block, expression] = /^(if|with) (.+)$/.exec(token.action) ?? [];
      if (block === undefined || expression === undefined) nodes.push({ expression: token.action });
      else nodes.push({ block: block as 'if' | 'with', expression, ...branches(rest, block) });
    }
  }
  if (within !== undefined) throw new Error(`${within} without an end`);
  return nodes;
}

function branches(rest: ReturnType<typeof tokens>, block: string): { body: Node[]; otherwise: Node[] } {
  const body = parse(rest, block);
  const isElse = (rest.shift() as { action: string }).action === 'else';
  const otherwise = isElse ? parse(rest, block) : [];
  if (isElse) rest.shift();
  return { body, otherwise };
}

const renderAll = (nodes: readonly Node[], dot: unknown): string =>
  nodes.map((node) => render(node, dot)).join('');

function render(node: Node, dot: unknown): string {
  if ('text' in node) return node.text;
  const value = evaluate(node.expression, dot);
  if (!('block' in node)) return String(value);
  if (!isTrue(value)) return renderAll(node.otherwise, dot);
  return renderAll(node.body, node.block === 'with' ? value : dot);
}

function evaluate(expression: string, dot: unknown): unknown {
  let piped: unknown[] = [];
  for (const command of expression.split('|')) {
    const [first = '', ...others] = command.trim().split(/\s+/);
    const args = [...others.map((each) => term(each, dot)), ...piped];
    const called = functions[first];
    piped = [called === undefined ? term(first, dot) : called(...(args as never[]))];
  }
  return piped[0];
}

function term(text: string, dot: unknown): unknown {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\.|(\.\w+)+)$/.test(text)) throw new Error(`${text} is not known here`);
  let value = dot;
  for (const name of text.split('.').filter(Boolean)) {
    value = (value as Scope)[name];
    if (value === undefined) throw new Error(`${text} does not exist`);
  }
  return value;
}

/** Go's templates take empty texts, lists and maps for false. */
function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
