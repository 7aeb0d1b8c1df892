/** Telephone and card numbers, dates, IBANs: what masks part. A decimal number is none of them. */
const PARTED = /^(?!\d*\.\d*$)[+(]?[A-Z\d][A-Z\d\s()./-]*$/;
const FEWEST_DIGITS = 7;

/** Whether what was typed is still in what a field holds, which the page may have completed or put into another form. */
export const isIn = (typed: string, held: string): boolean =>
  lettersAndDigits(held).includes(lettersAndDigits(typed)) && held.trim() !== '';
const lettersAndDigits = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Whether a field that holds `now` took what was typed: as it is, or parted by a mask; white space may differ. */
export function isTaken(now: string, typed: string): boolean {
  if (now === typed) return true;
  const [one, other] = [now, typed].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  if (one === other) return one !== '';
  const isParted = [now, typed].every((text) => PARTED.test(text.trim()));
  const [held, wanted] = [now, typed].map((text) => text.replaceAll(/[\s()./-]/g, ''));
  return isParted && held === wanted && typed.replaceAll(/\D/g, '').length >= FEWEST_DIGITS;
}
