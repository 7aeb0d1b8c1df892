import type { StoredModel } from './store.ts';

/** When the list below was last checked. */
export const LISTED_ON = '2026-11-27';

type OpenModel = StoredModel & { address: string; expected: string };

const of = (
  repository: string,
  revision: string,
  file: string,
  rest: Pick<OpenModel, 'size' | 'expected'>,
): OpenModel => ({
  id: file.replace('.gguf', ''),
  address: `https://huggingface.co/${repository}/resolve/${revision}/${file}`,
  licence: 'apache-2.0',
  context: 8192,
  ...rest,
});

/** Small models with open weights that their makers trained to call tools, each in one revision of their own. */
export const OPEN_MODELS: readonly OpenModel[] = [
  of(
    'ibm-granite/granite-4.0-350m-GGUF',
    'b8208a86a58427e1739265318028eb5895b74bf2',
    'granite-4.0-350m-Q8_0.gguf',
    { size: 378_138_016, expected: '9595dafb4ed15aa02512c8ea26188744192a6f09530eae0a2747bd3ada96cd36' },
  ),
  of('Qwen/Qwen3-0.6B-GGUF', '23749fefcc72300e3a2ad315e1317431b06b590a', 'Qwen3-0.6B-Q8_0.gguf', {
    size: 639_446_688,
    expected: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
  }),
  of('Qwen/Qwen3-1.7B-GGUF', '90862c4b9d2787eaed51d12237eafdfe7c5f6077', 'Qwen3-1.7B-Q8_0.gguf', {
    size: 1_834_426_016,
    expected: '061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a',
  }),
];
