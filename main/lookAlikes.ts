// Letters of other scripts that look like a plain Latin one: what hides "paypal" in an address or "password" in a form.

const pairs =
  'аa вb сc ԁd еe ѐe ёe һh іi їi јj кk ӏl мm нh оo рp ԛq ѕs тt υu ѵv ԝw хx уy ӯy ҽe ɡg ' +
  'АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX ҮY ' +
  'αa βb γy εe ηn ιi κk νv οo ρp τt χx ωw ϲc ϳj ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ' +
  'ցg հh јj ոn օo սu ѕs զq ıi ɩi ɑa ɪi ʟl ꞵb ƅb ḷl ɴn ʀr ʏy';

const plain = new Map<string, string>();
for (const pair of pairs.split(' ')) {
  const [letter = '', looks = ''] = Array.from(pair);
  if (/^[A-Za-z]$/.test(looks)) plain.set(letter, looks);
}

/** The plain Latin letter this one is drawn like, undefined for all others (plain Latin ones too). */
export function looksLike(letter: string): string | undefined {
  return plain.get(letter);
}
