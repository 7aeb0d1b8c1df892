/** Characters. */
const LONGEST_LABEL = 200;
/** Words that are remembered. */
const MOST_KNOWN = 1_000;

const CODES =
  'sms|verify|verification|security|auth|authentication|authenticator|factor|login|recovery|digit|[mt]?fa';
const SECRET = new RegExp(
  `\\bpass\\b|pass ?w(or)?d|pwd|pass ?(code|phrase)|one ?time|cvv|cvc|\\bcsc\\b|\\botc\\b|\\bt?otp|otp\\b|\\bpin\\b|\\b(${CODES}) ?code|card ?(num|no\\b)|\\bcc ?num|\\bssn\\b|social ?security|passport ?(num|no\\b)|national ?(id\\b|ident)|\\bnational insurance|tax ?(id\\b|payer|ident)|\\bnin\\b|^id ?(num|no\\b|card\\b)|identity ?(num|no\\b|card\\b)|\\bpersonal ?id\\b|driv(er|ing) ?s? ?licen|\\baadhaar|^credit ?card$|\\bccn\\b|\\bnum(ero)? ?(de |do |della )?(la )?(tarjeta|carte|cartao|carta)\\b|\\b(dni|nif|cpf|curp|bsn|pesel)\\b|ausweis ?n|passwort|kennwort|karten ?nummer|mot ?de ?passe|contrasen|\\bsenha|wachtwoord|\\bhaslo\\b`,
);

/** Whether a form field's name or id says that it holds a password, a one-time code or a card’s number: `otpCode`, `user[pin]`. */
export const isSecretName = remembered((name) => SECRET.test(wordsOf(name)));

/** At its end, so that neither a hint nor a limit of one is taken for it; a PIN code may be a postal one, and what has a month and a
 * year of two digits is a card. */
const SECRET_LABEL = new RegExp(
  `^pin$|\\b((enter|your|card) pin|pin (number|no)|pass ?word|pass ?phrase|pass ?code|cvv|cvc|csc|otp|(one time|${CODES}) code|(credit|debit) card|(card|passport|social security|national insurance|tax(payer)? identification|identity card|id card|national id) (number|no)|ssn|(national|tax|personal) id|passport|aadhaar|(identity|identification|driving licen[cs]e|driver s? ?licen[cs]e|aadhaar) (number|no))$|^id (number|no)$|(?<!dd )\\bmm yy$`,
);

/**
 * The same in other languages, without accents: passwords, one-time codes, and the numbers of cards, identity cards, passports,
 * tax and social insurance.
 */
const WORDS = [
  'einmalcode|bestatigungscode|sicherheitscode|kartennummer|kreditkartennummer|prufnummer|ausweisnummer|personalausweisnummer|passnummer|reisepassnummer|steuernummer|steuer id|steueridentifikationsnummer|sozialversicherungsnummer|nummer der kreditkarte|verifizierungscode|einmalpasswort|tan',
  'passwort|kennwort|mot de passe|code de verification|code de securite|numero de carte|numero de carte bancaire|numero de carte de credit|numero de la carte|n de carte|numero de carte d identite|cryptogramme|cryptogramme visuel|code a usage unique|code sms|code recu par sms|numero de passeport|numero fiscal|numero de securite sociale',
  'contrasena|codigo de verificacion|codigo de seguridad|numero de tarjeta|numero de la tarjeta|numero de tarjeta de credito|numero de la tarjeta de credito|numero de tarjeta de debito|codigo de un solo uso|codigo sms|numero de identidad|documento de identidad|dni nie|curp|numero de pasaporte|dni|nif',
  'senha|palavra passe|codigo de verificacao|codigo de seguranca|numero do cartao|numero do cartao de credito|numero do cartao de debito|codigo de uso unico|numero do passaporte|cpf|nif',
  'codice di verifica|codice di sicurezza|numero della carta|numero di carta|numero carta|numero carta di credito|numero della carta di credito|numero carta d identita|codice monouso|numero del passaporto|codice fiscale',
  'wachtwoord|verificatiecode|beveiligingscode|kaartnummer|creditcardnummer|nummer creditcard|eenmalige code|paspoortnummer|burgerservicenummer|bsn',
  'hasło|kod weryfikacyjny|kod jednorazowy|kod zabezpieczajacy|numer karty|numer karty kredytowej|numer karty płatniczej|kod sms|numer paszportu|numer dowodu|numer dowodu osobistego|pesel',
  'parola|sifre|dogrulama kodu|guvenlik kodu|kart numarasi|karti numarasi|tek kullanimlik kod|sms kodu|pasaport numarasi|kimlik numarasi|kimlik no|vergi numarasi',
  'heslo|losenord|adgangskode|passord|salasana|kortnummer|kreditkortnummer|kreditkortsnummer|bankkortsnummer|engangskod|engangskode|kortin numero|cislo karty|cislo platebni karty|cislo kreditni karty|jednorazovy kod|personnummer|fodselsnummer|henkilotunnus',
  'kata sandi|sandi|kode verifikasi|nomor kartu|nomor kartu kredit|nomor paspor|nomor ktp|nik',
  'mat khau|ma xac minh|ma xac nhan|so the|so the tin dung|so the ghi no|cccd|so ho chieu|so can cuoc',
  'пароль|код подтверждения|одноразовый код|код безопасности|номер карты|номер банковской карты|номер кредитной карты|код из смс|код из sms|номер паспорта|паспорт серия и номер|инн|снилс',
  'код підтвердження|одноразовии код|номер картки|номер банківської картки|номер паспорта',
  'كلمة المرور|كلمة السر|رمز التحقق|رمز الامان|رقم البطاقة|رقم بطاقة الائتمان|رمز لمرة واحدة|رقم جواز السفر|رقم الهوية',
  'סיסמה|קוד אימות|מספר כרטיס|מספר כרטיס אשראי|קוד חד פעמי|מספר זהות|מספר דרכון|תעודת זהות',
  'पासवर्ड|कार्ड नंबर|ओटीपी|सत्यापन कोड|पासपोर्ट नंबर|आधार नंबर',
  'パスワード|暗証番号|認証コード|確認コード|セキュリティコード|カード番号|パスポート番号|旅券番号|マイナンバー|個人番号',
  '비밀번호|인증번호|인증 코드|보안 코드|카드 번호|카드번호|여권 번호|여권번호|주민등록번호',
  '密码|密碼|验证码|驗證碼|安全码|安全碼|卡号|卡號|信用卡号|护照号码|護照號碼|身份证号|身份证号码|身分證字號',
];

/** Of letters alone, in small ones, without what stands above or below them. */
const lettersOf = (text: string): string =>
  PLAIN.test(text)
    ? text
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, ' ')
        .trim()
    : text
        .normalize('NFKD')
        .replaceAll(/\p{Mn}/gu, '')
        .toLowerCase()
        .replaceAll('ı', 'i')
        .replaceAll(/[^\p{L}\p{Mc}]+/gu, ' ')
        .trim();
const PLAIN = /^[ -~]*$/;

/** Their writing has no spaces. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー ]+$/u;

/** How labels of secret fields end, after a space, by their last letter. */
const ENDS = Map.groupBy(
  new Set(
    WORDS.flatMap((words) => words.split('|').map(lettersOf)).map((each) =>
      UNSPACED.test(each) ? each : ` ${each}`,
    ),
  ),
  (each) => each.at(-1),
);

/** Whether words by which a field is shown, such as `Enter your password *`, say so, also with a hint in brackets behind them. */
export const isSecretLabel = remembered((label) => {
  const words = label.slice(0, LONGEST_LABEL);
  const [bare = ''] = words.split(/[([（［]/, 1);
  return endsAsSecret(words) || (bare !== words && endsAsSecret(bare));
});

function endsAsSecret(words: string): boolean {
  if (SECRET_LABEL.test(wordsOf(words).trim())) return true;
  const letters = ` ${lettersOf(words)}`;
  return ENDS.get(letters.at(-1))?.some((each) => letters.endsWith(each)) ?? false;
}

/** The same, that looks at words that come again, as those of a page's fields do, only once. */
function remembered(says: (words: string) => boolean): (words: string) => boolean {
  const known = new Map<string, boolean>();
  return (words) => {
    let answer = known.get(words);
    if (answer !== undefined) return answer;
    answer = says(words);
    if (known.size === MOST_KNOWN) known.clear();
    if (words.length <= LONGEST_LABEL) known.set(words, answer);
    return answer;
  };
}

/** What stands between signs, digits and capital letters; `\b` takes `_` for a letter. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ');
