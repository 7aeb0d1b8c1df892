import { describe, expect, it } from 'vitest';
import { isSecretLabel, isSecretName } from '../../../../../lib/tools/page/dom/fields/secret-names.ts';

describe('the name of a form field that holds a password, a code or a card’s number', () => {
  it.each([
    'pass user[pass] password passWord userPasswd passcode pass_phrase pwd new-pwd userpwd',
    'otp otp_1 otp1 otpCode OTPCode user_otp userotp totp TOTP_token user[otp_attempt] one-time-code oneTimePin',
    'smsCode sms_code verificationCode verification_code verificationcode securityCode 2faCode mfa-code',
    'otc csc pin userPin pin_1 card[pin] cvv cvc2 cvvNumber card_number cardNumber cardno card-no ccnum cc_number',
    'ssn user_ssn socialSecurity passport_number passportNo national_id nationalId tax_id taxId ausweisnummer passwort kartennummer',
    'numeroTarjeta numero_carte numCarte ccn dni user[cpf] pesel',
    'idNumber id_no id_card identityNumber personalId driversLicense driving_licence_no aadhaar creditcard',
  ])('is known: %s', (names) => {
    expect(names.split(' ').filter((name) => !isSecretName(name))).toEqual([]);
  });

  it.each([
    'pinned spinner shipping opinion option laptop top hotpot potpourri',
    'compass passenger bypass passport orderIdNumber idea creditcards zipCode postcode pincode countryCode promo_code code name card_notes acc_number account-number author',
  ])('is not taken for one: %s', (names) => {
    expect(names.split(' ').filter(isSecretName)).toEqual([]);
  });
});

describe('the label of a form field that holds a password or a code', () => {
  it('is known by its end', () => {
    const labels = [
      'Password',
      'Enter your password *',
      'New Password:',
      'Verification code',
      'Enter the one-time code',
      'CVC',
      'Card number',
      'Social security number',
      'Passport number',
      'National ID',
      'ID number',
      'National identity number',
      'Identification number',
      'Driving licence number',
      'Driver’s license number',
      'Passport',
      'Aadhaar number',
      'Tax ID',
      'Passwort',
      'Neues Kennwort:',
      'Kartennummer',
      'Einmalcode',
      'Ausweisnummer',
      'Mot de passe',
      'Contraseña',
      'Senha',
      'Hasło',
      'Şifre',
      'Номер карты',
      '新しいパスワード',
      '비밀번호',
      '身份证号码',
      'كلمة المرور',
      'पासवर्ड',
      'Card number (required)',
      'カード番号（必須）',
      'SMS code',
      '2FA code',
      'PIN number',
      'Verifizierungscode',
      'Numéro de carte bancaire',
      'Code à usage unique',
      'Número de tarjeta de crédito',
      'Número do cartão de crédito',
      'Numero della carta di credito',
      'Creditcardnummer',
      'Numer karty płatniczej',
      'Kredi kartı numarası',
      'Kreditkortsnummer',
      'Číslo platební karty',
      'Nomor kartu kredit',
      'Số thẻ tín dụng',
      'Номер банковской карты',
      'Номер банківської картки',
      'رقم بطاقة الائتمان',
      'מספר כרטיס אשראי',
      'ओटीपी',
      'Enter the 6-digit code',
      'MM/YY',
      'Expires (MM / YY)',
    ];
    expect(labels.filter((label) => !isSecretLabel(label))).toEqual([]);
  });

  it('is not taken for one', () => {
    const labels = [
      'Password hint',
      'Forgot your password? Mail',
      'Pin code',
      'Postal code',
      'Promo code',
      'DD/MM/YY',
      'One-time donation',
      'Boarding pass',
      'Passwords to generate',
      'Phone number',
      'Passport photo',
      'Business card',
      'Passwort vergessen?',
      'Numéro de carte de fidélité',
      'Tak / Nie',
      '国籍',
    ];
    expect(labels.filter(isSecretLabel)).toEqual([]);
  });
});
