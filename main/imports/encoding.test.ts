// Encodings exports come in, each made here by turning the runtime's own decoder round.
import { describe, expect, it } from 'vitest';
import { decodeFile } from './encoding.ts';

/** Every letter an encoding has, with its bytes. */
function lettersOf(name: string): Map<string, number[]> {
  const decoder = new TextDecoder(name, { fatal: true });
  const letters = new Map<string, number[]>();
  const add = (bytes: number[]): void => {
    try {
      const letter = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(letter).length === 1 && !letters.has(letter)) letters.set(letter, bytes);
    } catch {
      // No letter has these bytes.
    }
  };
  for (let one = 0; one < 256; one++) add([one]);
  if (/jis|gb|big5|euc/.test(name)) for (let a = 0x81; a < 0xff; a++) for (let b = 0x40; b < 0xff; b++) add([a, b]);
  return letters;
}
function encoded(text: string, name: string): Buffer {
  const letters = lettersOf(name);
  const row = `id,customer,subject,body\r\n1,a@example.com,x,"${text}"\r\n`;
  return Buffer.from(
    Array.from(row).flatMap((letter) => {
      const bytes = letters.get(letter);
      if (bytes === undefined) throw new Error(`${name} has no ${letter}`);
      return bytes;
    }),
  );
}

const german = 'Jörg schrieb: „Größe“ – über 49,90 €. Schönen Gruß an Käthe.';
const russian = 'Здравствуйте, где мой заказ? Посылка не пришла. Спасибо, Ольга';

describe('the decoder of the Node that runs the product', () => {
  it('knows what windows-1252 has between 0x80 and 0x9f', () => {
    const bytes = Uint8Array.from([0x80, 0x84, 0x93, 0x96, 0x99, 0x9c, 0x9f]);
    expect(new TextDecoder('windows-1252').decode(bytes)).toBe('€„“–™œŸ');
  });
  it('knows the four-byte letters of gb18030', () => {
    expect(new TextDecoder('gb18030').decode(Uint8Array.from([0x81, 0x30, 0x81, 0x30, 0x94, 0x39, 0xda, 0x33]))).toBe(
      '\u0080💩',
    );
  });
});

describe('an encoding is found for sure', () => {
  it.each([
    ['windows-1252', german],
    ['macintosh', german],
    ['windows-1252', '¿Dónde está mi pedido? El niño rompió la tetera. Mañana llamaré. Íñigo'],
    ['windows-1250', 'Dobrý den, objednávka nepřišla. Kde je můj balík? Děkuji, Jiří Dvořák, Žižkov'],
    ['ibm866', russian],
    ['shift_jis', 'こんにちは。注文したやかんがまだ届きません。いつ届きますか。'],
    ['gb18030', '你好，我的订单还没有到。请问什么时候可以收到？'],
    ['big5', '你好，我的訂單還沒有到。請問什麼時候可以收到？'],
    ['euc-kr', '안녕하세요, 주문한 주전자가 아직 도착하지 않았습니다.'],
  ])('%s: %s', (name, text) => {
    const found = decodeFile(encoded(text, name), undefined);
    expect([found.question, found.text]).toEqual([null, expect.stringContaining(text)]);
  });
  it.each([
    ['utf-8', Buffer.from(`\ufeff${german}`)],
    ['utf-16le', Buffer.from(`\ufeff${german}`, 'utf16le')],
    ['utf-16be', Buffer.from(`\ufeff${german}`, 'utf16le').swap16()],
    ['utf-16le', Buffer.from(german, 'utf16le')],
    ['utf-16be', Buffer.from(german, 'utf16le').swap16()],
    ['utf-8', Buffer.from(german)],
  ])('%s, with or without its mark', (name, bytes) => {
    expect(decodeFile(bytes, undefined)).toEqual({ name, text: german, question: null });
  });
});

describe('what reads as words in two encodings is asked, with the words', () => {
  it.each([
    ['windows-1252', "Bonjour, j'ai reçu la théière mais le couvercle est cassé. Où dois-je l'envoyer ?", 'théière'],
    ['windows-1251', russian, 'Здравствуйте'],
    ['koi8-u', russian, 'Здравствуйте'],
    ['windows-1254', 'Merhaba, siparişim gelmedi. Çaydanlık kırık çıktı.', 'siparişim'],
  ])('%s: %s', (name, text, word) => {
    const bytes = encoded(text, name);
    const { question } = decodeFile(bytes, undefined);
    const choice = question?.choices.find(({ value }) => value === name);
    expect(choice?.example).toContain(word);
    expect(decodeFile(bytes, name)).toEqual({ name, text: expect.stringContaining(text) as string, question: null });
  });
});

describe('bytes that are no text', () => {
  const damaged = Buffer.concat([
    Buffer.from('Größe, Käthe, über\nÜberschuss '),
    Buffer.from([0xc3]),
    Buffer.from(' x'),
  ]);
  it.each([
    ['nothing', Buffer.alloc(0), 'empty'],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]), 'UTF-32'],
    ['UTF-8 with a damaged place', damaged, 'the first in line 2'],
    ['half of a UTF-16 letter', Buffer.from([0xff, 0xfe, 0x41]), 'utf-16le'],
  ])('%s', (_, bytes, words) => {
    expect(() => decodeFile(bytes, undefined)).toThrow(words);
  });
  it('another than the one chosen', () => {
    expect(() => decodeFile(encoded(german, 'windows-1252'), 'utf-8')).toThrow('not utf-8 throughout');
    expect(() => decodeFile(Buffer.from('x'), 'klingon')).toThrow('no encoding "klingon"');
  });
});
