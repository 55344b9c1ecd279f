/** An instruction of a Dockerfile, with continued lines joined. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export function instructionsOf(text: string): Instruction[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [{ name, rest }];
    });
}

/** Checks the hadolint rules for the instructions used here, without building the image. Names are those of hadolint's rules. */
export function lint(text: string): string[] {
  const all = instructionsOf(text);
  const of = (name: string) => all.filter((each) => each.name === name).map(({ rest }) => rest);
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const users = last.filter(({ name }) => name === 'USER').map(({ rest }) => rest);
  const stages = of('FROM').flatMap((rest) => / AS (\S+)$/.exec(rest)?.[1] ?? []);
  const findings: [string, boolean][] = [
    ['DL3000 WORKDIR is absolute', of('WORKDIR').every((path) => path.startsWith('/'))],
    ['DL3002 the last USER is not root', users.length > 0 && !/^(root|0)\b/.test(users.at(-1) ?? '')],
    ['DL3004 no sudo', of('RUN').every((rest) => !/\bsudo\b/.test(rest))],
    ['DL3007 images have a version', of('FROM').every((rest) => /^\S+:(?!latest\b)\S+/.test(rest))],
    ['DL3012 one HEALTHCHECK', of('HEALTHCHECK').length === 1],
    ['DL3020 COPY, not ADD', of('ADD').length === 0],
    [
      'DL3022 COPY --from names a stage',
      of('COPY').every((rest) => stages.includes(/--from=(\S+)/.exec(rest)?.[1] ?? stages[0] ?? '')),
    ],
    ['DL3024 stages have different names', new Set(stages).size === stages.length],
    ['DL3025 ENTRYPOINT and CMD are JSON', [...of('ENTRYPOINT'), ...of('CMD')].every(isList)],
    ['DL3059 no RUN after a RUN', all.every(({ name }, at) => name !== 'RUN' || all[at + 1]?.name !== 'RUN')],
    ['DL4003 and DL4004 one CMD, one ENTRYPOINT', of('CMD').length === 1 && of('ENTRYPOINT').length === 1],
    ['DL4006 no pipe without pipefail', of('RUN').every((rest) => !/[^|]\|[^|]/.test(rest))],
  ];
  return findings.flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

function isList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
