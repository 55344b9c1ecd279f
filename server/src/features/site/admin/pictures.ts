import { hash } from 'node:crypto';
import { type PictureType, sitePictures } from '@gatehouse/contract';
import { Refusal } from '../../../refusal.ts';
import type { Actor, Why } from '../../audit/entry.ts';
import { picturePath } from '../site-values.ts';
import { inspectPicture } from './inspect-picture.ts';
import type { Changing, SiteAdminDeps } from './set.ts';
import type { NewPicture, SettingState } from './store.ts';

const SMALL_KIB = 512;
const LARGE_KIB = 2048;
const MAX_NEWS_PICTURES = 100;
const NEWS_PICTURE = /^news-[a-z0-9-]{1,32}$/;
/** Digits of the hash in a picture's path. */
const HASH_LENGTH = 16;

export interface GivenPicture {
  readonly type: PictureType;
  readonly content: Buffer;
}

/** Sets a picture, replacing an earlier one. */
export function setPicture(deps: SiteAdminDeps) {
  return async (
    actor: Actor,
    name: string,
    given: GivenPicture,
    { reason }: Why = {},
  ): Promise<
    Pick<NewPicture, 'width' | 'height' | 'bytes'> & { readonly url: string; readonly auditId: string | null }
  > => {
    const picture = checkedPicture(name, given);
    const auditId = await deps.audit.transaction(actor, (trx, append) =>
      changePicture(deps, { trx, append, actor, reason }, name, picture),
    );
    const { width, height, bytes } = picture;
    return { url: picturePath(picture), width, height, bytes, auditId };
  };
}

/** Removes a picture. Returns the id of the audit entry, or null if there was none. */
export function removePicture(deps: SiteAdminDeps) {
  return async (actor: Actor, name: string, { reason }: Why = {}): Promise<string | null> => {
    requireName(name);
    return deps.audit.transaction(actor, (trx, append) =>
      changePicture(deps, { trx, append, actor, reason }, name, null),
    );
  };
}

/** Checks a file and returns it as it is stored. */
export function checkedPicture(name: string, { type, content }: GivenPicture): NewPicture {
  requireName(name);
  const isSmall = name === 'logo' || name === 'favicon';
  const limit = isSmall ? SMALL_KIB : LARGE_KIB;
  if (content.length > limit * 1024)
    throw new Refusal('file_refused', { variant: 'size', params: { limit } });
  if (type === 'image/svg+xml' && !isSmall) throw new Refusal('file_refused', { variant: 'no_svg' });
  const size = inspectPicture(type, content);
  const digest = hash('sha256', content).slice(0, HASH_LENGTH);
  return { hash: digest, type, ...size, bytes: content.length, content };
}

function requireName(name: string): void {
  if (!sitePictures.some((each) => each === name) && !NEWS_PICTURE.test(name)) throw new Refusal('not_found');
}

export async function changePicture(
  { site }: SiteAdminDeps,
  { trx, append, actor, reason }: Changing,
  name: string,
  picture: NewPicture | null,
): Promise<string | null> {
  const row = await site.stateOf(trx, name);
  if ((row?.file ?? null) === (picture?.hash ?? null)) return null;
  if (picture) {
    await refuseTooMany(row, name);
    if (!(await site.keepFile(trx, picture))) throw new Refusal('file_refused');
    await site.set(trx, row, { name, value: null, file: picture.hash }, actor.name);
  } else if (row) await site.clear(trx, row);
  const before = row?.file ? await site.fileOf(trx, row.file) : undefined;
  if (row?.file) await site.releaseFile(trx, row.file);
  return append({
    action: 'site.file',
    subject: { kind: 'site_file', id: name },
    reason,
    before: audited(before),
    after: audited(picture ?? undefined),
  });

  async function refuseTooMany(known: SettingState | undefined, of: string): Promise<void> {
    if (known || !NEWS_PICTURE.test(of) || (await site.newsPictures(trx)) < MAX_NEWS_PICTURES) return;
    throw new Refusal('file_refused', { variant: 'count', params: { limit: MAX_NEWS_PICTURES } });
  }
}

/** The picture is still served under its path for a month, so an operator can go back to it. */
function audited(picture: Omit<NewPicture, 'content'> | undefined): object | undefined {
  const { type, width, height, bytes } = picture ?? {};
  return picture && { url: picturePath(picture), type, width, height, bytes };
}
