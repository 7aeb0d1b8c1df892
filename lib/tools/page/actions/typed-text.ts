/** Telephone and card numbers, dates, IBANs: what masks part. A decimal number is none of them. */
const PARTED = /^(?!\d*\.\d*$)[+(]?[A-Z\d][A-Z\d\s()./-]*$/;
const FEWEST_DIGITS = 7;
const LETTER = /[\p{L}\p{N}]/u;
const SIGN = /^[+\u2212-]/u;
/** What stands between thousands, and what else is written around an amount. */
const THOUSANDS = /(?<=\d)[.,](?=\d{3}(?!\d))/g;
const AROUND = /[\p{Sc}%’'\s]/gu;

/** What pages put before a telephone number, in place of its zero, and before an address. */
const COUNTRY = /^\+\d{1,3}$/;
const SCHEME = /^https?:\/\//i;

/**
 * Whether what was typed is still in what a field holds, which the page may have completed or put into another form. In 12, or in
 * 0.5, there is no 2 and no 5; nor is what the page wrote twice.
 */
export function isIn(typed: string, held: string): boolean {
  const [is, was] = [numberIn(held), numberIn(typed, ',')];
  if (is !== undefined && was !== undefined) return is === was;
  const [all, part] = [held, typed].map(lettersAndDigits) as [string, string];
  return held.trim() !== '' && all.includes(part) && (all === part || all.replaceAll(part, '') !== '');
}
/** Whether an editor that makes what it will of signs (`# `, `**`) holds the letters and digits that were typed. */
export const isAlike = (typed: string, held: string): boolean =>
  lettersAndDigits(typed) !== '' && lettersAndDigits(typed) === lettersAndDigits(held);
const lettersAndDigits = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * Whether a field that holds `now` took what was typed: as it is, or in a form of the page's own, with other white space,
 * capitals, or what a mask puts between and around. A number must be worth the same.
 */
export function isTaken(now: string, typed: string): boolean {
  if (now === typed) return true;
  const [held = '', wanted = ''] = [now, typed].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  if (held === wanted) return held !== '';
  const [isWorth, was] = [numberIn(held), numberIn(wanted, ',')];
  if (isWorth !== undefined && was !== undefined) return isWorth === was;
  return isMasked(held, wanted) || isParted(held, wanted) || isBegun(held, wanted);
}

/** Whether a text is another one, capitals apart, to which only signs were added; one before a number makes another of it. */
function isMasked(held: string, wanted: string): boolean {
  if (!LETTER.test(wanted) || (SIGN.test(held) && !SIGN.test(wanted))) return false;
  const left = [...wanted.toLowerCase().replaceAll(' ', '')].toReversed();
  for (const each of held.toLowerCase())
    if (each === left.at(-1)) left.pop();
    else if (LETTER.test(each)) return false;
  return left.length === 0;
}

function isParted(held: string, wanted: string): boolean {
  const [one, other] = [held, wanted].map((text) => text.replaceAll(/[\s()./-]/g, ''));
  const isLong = wanted.replaceAll(/\D/g, '').length >= FEWEST_DIGITS;
  return isLong && one === other && [held, wanted].every((text) => PARTED.test(text));
}

/** Whether a page wrote what such texts begin with. */
function isBegun(held: string, wanted: string): boolean {
  if (SCHEME.test(held) && held.replace(SCHEME, '').replace(/\/$/, '') === wanted) return true;
  const [now, was] = [held, wanted].map((text) => text.replaceAll(/[\s()./-]/g, '')) as [string, string];
  const national = was.replace(/^0(?!0)/, '');
  return (
    national.length >= FEWEST_DIGITS &&
    /^\d+$/.test(national) &&
    now.endsWith(national) &&
    COUNTRY.test(now.slice(0, -national.length))
  );
}

/** A number as it is worth, however it is written. @param parts thousands, in place of a point or a comma */
function numberIn(text: string, parts?: string): string | undefined {
  const bare = text
    .replaceAll(AROUND, '')
    .replaceAll(THOUSANDS, (sign) => (sign === (parts ?? sign) ? '' : sign));
  const [, whole, part = ''] = /^(-?\d+)(?:[.,](\d+))?$/.exec(bare) ?? [];
  return whole && `${whole} ${Number(`0.${part}`)}`;
}
