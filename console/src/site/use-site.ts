import { type AdminSite, sitePictures } from '@gatehouse/contract/admin';
import { computed, ref, shallowRef } from 'vue';
import { call } from '../api/client.ts';
import { ApiError } from '../api/failure.ts';
import { useResource } from '../blocks/use-resource.ts';
import {
  accentContrast,
  type Changes,
  changesOf,
  type Draft,
  draftOf,
  type LastChange,
  lastChange,
  withChanges,
} from './draft.ts';

/** Entries to look through for the last change: one per publication and four pictures. */
const RECENT = 10;

/** The site as it is published, and the operator's draft. */
export function useSite() {
  const { data: site, error, busy, load: fetchSite } = useResource<AdminSite>(() => call('showSite'));
  const draft = ref<Draft | null>(null);
  const changes = computed(() => (site.value && draft.value ? changesOf(site.value, draft.value) : null));
  const count = computed(() => (changes.value?.list.length ?? 0) + (changes.value?.pictures.length ?? 0));
  const isValid = computed(() => {
    const accent = draft.value?.texts.accent.trim() ?? '';
    const links = draft.value?.links ?? [];
    return (
      (accent === '' || accentContrast(accent)?.accepted === true) &&
      links.every(({ label, url }) => label.trim() !== '' && url.trim() !== '')
    );
  });

  /** Loads what is published. These changes stay in the draft, by default all. */
  async function load(unsent: Pick<Changes, 'patch' | 'pictures'> | null = changes.value) {
    await fetchSite();
    if (!site.value || error.value) return;
    draft.value = draft.value && unsent ? withChanges(site.value, unsent, draft.value) : draftOf(site.value);
  }

  /** Publishes the texts in one call, all or nothing, then each picture. After a failure, the rest stays in the draft. */
  async function publish(reason: string) {
    if (!changes.value || !draft.value) return undefined;
    let { patch, pictures } = changes.value;
    const files = draft.value.pictures;
    const why = reason ? { reason } : {};
    let answer: { readonly audit_id?: string | null } | undefined;
    try {
      if (Object.keys(patch).length > 0) answer = await call('setSite', { body: { ...patch, ...why } });
      patch = {};
      for (const name of pictures) {
        const { file } = files[name];
        answer = file
          ? await call('putSiteFile', { params: { name }, query: why, file })
          : await call('removeSiteFile', { params: { name }, query: why });
        pictures = pictures.filter((each) => each !== name);
      }
    } finally {
      await load({ patch, pictures });
    }
    return answer;
  }

  return { site, draft, changes, count, isValid, error, busy, load, publish };
}

/** The last change of the site, from the audit, and how to undo it. */
export function useLastChange() {
  const last = shallowRef<LastChange | null | undefined>(null);

  async function find() {
    const [fields, files] = await Promise.all([
      call('listAudit', { query: { action: 'site.set', limit: RECENT } }),
      call('listAudit', { query: { action: 'site.file', limit: RECENT * sitePictures.length } }),
    ]);
    last.value = lastChange([...fields.audit, ...files.audit]);
  }

  /** Replaced pictures are served for a month more, so they are fetched and uploaded again. */
  async function goBack(reason: string) {
    if (!last.value) return undefined;
    const { patch, pictures } = last.value;
    const why = reason ? { reason } : {};
    const files = new Map<string, Blob>();
    for (const [name, url] of Object.entries(pictures)) if (url) files.set(name, await pictureAt(url));
    let answer: { readonly audit_id?: string | null } | undefined;
    if (Object.keys(patch).length > 0) answer = await call('setSite', { body: { ...patch, ...why } });
    for (const name of Object.keys(pictures)) {
      const file = files.get(name);
      answer = file
        ? await call('putSiteFile', { params: { name }, query: why, file })
        : await call('removeSiteFile', { params: { name }, query: why });
    }
    return answer;
  }

  return { last, find, goBack };
}

async function pictureAt(url: string): Promise<Blob> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new ApiError({ kind: 'down' });
  return response.blob();
}
