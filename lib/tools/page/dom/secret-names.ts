const CODES =
  'sms|verify|verification|security|auth|authentication|authenticator|factor|login|recovery|[mt]?fa';
const SECRET = new RegExp(
  `\\bpass\\b|pass ?w(or)?d|pwd|pass ?(code|phrase)|one ?time|cvv|cvc|\\bt?otp|otp\\b|\\bpin\\b|\\b(${CODES}) ?code|card ?(num|no\\b)|\\bcc ?num`,
);

/** Whether a form field's name or id says that it holds a password, a one-time code or a card’s number: `otpCode`, `user[pin]`. */
export const isSecretName = (name: string): boolean => SECRET.test(wordsOf(name));

/** What stands between signs, digits and capital letters; `\b` takes `_` for a letter. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ');
