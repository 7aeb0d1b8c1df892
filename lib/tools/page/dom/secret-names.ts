/** Characters. */
const LONGEST_LABEL = 200;

const CODES =
  'sms|verify|verification|security|auth|authentication|authenticator|factor|login|recovery|[mt]?fa';
const SECRET = new RegExp(
  `\\bpass\\b|pass ?w(or)?d|pwd|pass ?(code|phrase)|one ?time|cvv|cvc|\\bcsc\\b|\\botc\\b|\\bt?otp|otp\\b|\\bpin\\b|\\b(${CODES}) ?code|card ?(num|no\\b)|\\bcc ?num`,
);

/** Whether a form field's name or id says that it holds a password, a one-time code or a card’s number: `otpCode`, `user[pin]`. */
export const isSecretName = (name: string): boolean => SECRET.test(wordsOf(name));

/** At its end, so that neither a hint nor a limit of one is taken for it; a PIN code may be a postal one. */
const SECRET_LABEL =
  /\b(pass ?word|pass ?phrase|pass ?code|cvv|cvc|csc|otp|(one time|verification|security|authentication) code)$/;

/** Whether words by which a field is shown, such as `Enter your password *`, say so. */
export const isSecretLabel = (label: string): boolean =>
  SECRET_LABEL.test(wordsOf(label.slice(0, LONGEST_LABEL)).trim());

/** What stands between signs, digits and capital letters; `\b` takes `_` for a letter. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ');
