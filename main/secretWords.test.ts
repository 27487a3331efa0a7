import { describe, expect, it } from 'vitest';
import { secretAsked, secretAskedIn } from './secretWords.ts';

const byName = (name: string) => secretAsked({ name, title: '', description: '' });
const byTitle = (title: string) => secretAsked({ name: 'value', title, description: '' });
const byDescription = (description: string) => secretAsked({ name: 'value', title: '', description });

describe('a form that asks for a password, key, token or card is refused (host §17)', () => {
  it.each(
    `password Password userPassword new_password passwd pwd passcode pass passphrase pin PIN card_pin pinCode otp cvv CVC
     cvv2 cardNumber card_number creditCard cc_number card iban IBAN bank_account apiKey APIKey api_key api-key apikey
     secretKey private_key accessKey key token accessToken authtoken refresh_token sessionToken oauth2token secret
     clientSecret client_secret credentials passwort kennwort kreditkartennummer api.key p\u0430ssword pass\u200bword`.split(
      /\s+/,
    ),
  )('by name: %s', (name) => expect(byName(name)).not.toBeNull());

  it.each([
    'Your password',
    'PASSWORD:',
    'Passwort',
    'Benutzerpasswort eingeben',
    'Mot de passe',
    'Contraseña',
    'Senha',
    'Wachtwoord',
    'Hasło',
    'Пароль',
    '密码',
    'パスワード',
    '비밀번호',
    'PIN',
    'Your pin',
    'CVC',
    'Card number',
    'Kreditkarte',
    'Kartennummer',
    'Numéro de carte',
    'Tarjeta de crédito',
    'IBAN',
    'Kontonummer',
    'API key',
    'API-Schlüssel',
    'Clé secrète',
    'Access token',
    'Zugriffstoken',
    "Jeton d'accès",
    'One-time code',
    'Client secret',
    'Login details',
    'Ｐａｓｓｗｏｒｄ',
    'P\u0430ssw\u043erd',
  ])('by title: %s', (title) => {
    expect(byTitle(title)).not.toBeNull();
    expect(byDescription(`Please give this: ${title}`)).not.toBeNull();
  });

  it.each(
    `postcard keyboard keyword sortKey order_key monkey turnkey discard cardboard passenger passport compass bypass shipping
     opinion pinNote mapPin pineapple spinach caliban secretary tokenLimit max_tokens token_count loyaltyCardNumber
     sim_card_number postcode description account`.split(/\s+/),
  )('not by name: %s', (name) => expect(byName(name)).toBeNull());

  it.each([
    'Text for the postcard',
    'Keyboard layout',
    'A token of appreciation for the customer',
    'A token of our gratitude',
    'Token limit',
    'Secret Santa note',
    'Passwordless sign-in name',
    'Pin this note to the order',
    'Loyalty card number',
    'The card no longer fits the present',
    'Passport holder’s name',
    'Customer account',
    'Reason for the refund',
    'Tan or brown strap',
    'Pass on to the warehouse',
    'Never enter passwords or card numbers here',
    'Do not include your password. What went wrong?',
  ])('not by words: %s', (words) => {
    expect(byTitle(words)).toBeNull();
    expect(byDescription(words)).toBeNull();
  });

  it('a pincode is a PIN, unless it is a postal one', () => {
    expect(byName('pincode')).toBe('a PIN or one-time code');
    expect(secretAsked({ name: 'pincode', title: 'Postal PIN code', description: '' })).toBeNull();
    expect(secretAsked({ name: 'pincode', title: 'Postal PIN code', description: 'and your card number' })).toBe(
      'a payment card',
    );
  });

  it('a warning hides nothing that follows it', () => {
    expect(byDescription('Do not enter spaces. Your password')).toBe('a password');
    expect(byDescription("Don't forget to enter your password")).toBe('a password');
  });

  it('a message that asks is read too, one that tells is not', () => {
    expect(secretAskedIn('Please enter your password below.')).toBe('a password');
    expect(secretAskedIn('Bitte geben Sie Ihr Passwort ein')).toBe('a password');
    expect(secretAskedIn('We need the card number to go on')).toBe('a payment card');
    expect(secretAskedIn('The customer asked for a password reset. Which note shall be kept?')).toBeNull();
    expect(secretAskedIn('Give a reason. Never share your password with anyone.')).toBeNull();
  });

  it('reads a text of a hundred thousand words in one go', () => {
    for (const piece of ['a', 'card ', 'never enter ', 'pass ', 'token ', 'client '])
      secretAsked({ name: 'x', title: piece.repeat(100_000), description: piece.repeat(100_000) });
  });
});
