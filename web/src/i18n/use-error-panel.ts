import type { Failure } from '../api/failure.ts';
import { useTexts } from './use-texts.ts';

/** Returns the props of an ErrorPanel for something that could not be loaded. */
export function useErrorPanel() {
  const { t, errorText } = useTexts();

  return (reason: Failure) => ({
    icon: reason.kind === 'offline' ? ('wave' as const) : ('moon' as const),
    title: reason.kind === 'refused' ? '' : t(`trouble.${reason.kind}Title`),
    text: errorText(reason),
    retryLabel: t('trouble.retry'),
  });
}
