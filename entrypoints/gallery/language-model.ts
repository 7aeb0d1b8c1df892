import type { Availability, LanguageModelApi } from '../../lib/language-model.ts';

/** A browser's model that downloads as far as `share` and goes no further; without one its download fails. */
export const languageModel = (availability: Availability, share?: number): LanguageModelApi => ({
  availability: async () => availability,
  async create({ monitor }) {
    const of = new EventTarget();
    monitor?.(of);
    if (share === undefined) throw new DOMException('The download was interrupted.', 'NetworkError');
    of.dispatchEvent(new ProgressEvent('downloadprogress', { loaded: share, total: 1 }));
    return new Promise(() => undefined);
  },
});
