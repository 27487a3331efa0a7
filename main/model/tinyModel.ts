/**
 * A random model of 350 KB with the vocabulary types of a real one (byte-level BPE, control and user-defined tokens), made
 * from scratch with the same bytes every time: tests run the real worker on it without a download. For tests only.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createGguf, type Gguf } from './gguf.ts';

const width = 64;
const layers = 2;
const heads = 4;
const keyHeads = 2;
const inner = 192;
const mergeCount = 300;
const control = 3;
const userDefined = 4;
const special: readonly (readonly [string, number])[] = [
  ['<|endoftext|>', control],
  ['<|im_start|>', control],
  ['<|im_end|>', control],
  ['<tool_call>', userDefined],
  ['</tool_call>', userDefined],
];

/** What the tokeniser's merges are learnt from; it should look like the prompts of the tests. */
const tinyCorpus = `${`A customer asks where an order has got to. The desk looks it up, and answers with what the record says.
Order 2415 was sent on 12 May 2026 by parcel; order 2496 is waiting for stock. The amount was 149.00 euros.
Tools: orders.find, orders.status, refunds.quote, stock.level. Answer, ask the customer, or hand over.
Dear customer, thank you for your message. We have looked at your order and will write again on Monday.
`.repeat(3)}You are a careful support desk. Choose one of the tools or one of the other ways to go on.\n`;

/** The alphabet of byte-level BPE: every byte has a visible letter. */
function byteLetters(): string[] {
  let extra = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const visible = (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || byte > 173;
    return String.fromCodePoint(visible ? byte : 256 + extra++);
  });
}

function joined(parts: readonly string[], left: string, right: string): string[] {
  const out: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const pair = part === left && parts[at + 1] === right;
    out.push(pair ? left + right : part);
    if (pair) at++;
  }
  return out;
}

/** Plain BPE training: joins the most frequent neighbours, alphabetically first among equals. */
function learnMerges(corpus: string, letters: readonly string[]): string[] {
  const words = new Map<string, number>();
  for (const [word] of corpus.matchAll(/ ?[A-Za-z]+|\d|\s+| ?[^\sA-Za-z\d]+/g))
    words.set(word, (words.get(word) ?? 0) + 1);
  let split = Array.from(words, ([word, count]) => ({
    parts: [...Buffer.from(word)].map((byte) => letters[byte] ?? ''),
    count,
  }));
  const merges: string[] = [];
  while (merges.length < mergeCount) {
    const pairs = new Map<string, number>();
    for (const { parts, count } of split) {
      for (let at = 1; at < parts.length; at++) {
        const pair = `${parts[at - 1] ?? ''} ${parts[at] ?? ''}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + count);
      }
    }
    const [best] = [...pairs].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (best === undefined || best[1] < 2) break;
    merges.push(best[0]);
    const [left = '', right = ''] = best[0].split(' ');
    split = split.map(({ parts, count }) => ({ parts: joined(parts, left, right), count }));
  }
  return merges;
}

/** Numbers in [0, 1), the same on every machine. */
function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);
/** A 16-bit float, cut rather than rounded; too small becomes a signed zero. */
function half(value: number): number {
  single[0] = value;
  const word = bits[0] ?? 0;
  const exponent = ((word >>> 23) & 255) - 112;
  const sign = (word >>> 16) & 0x8000;
  return exponent <= 0 ? sign : sign | (exponent << 10) | ((word >>> 13) & 1023);
}

interface Tensor {
  name: string;
  shape: number[];
  /** Half the width of the random range, or ones where null. */
  range: number | null;
}

/**
 * Separate output weights and a large scale: with tied embeddings and small weights a random model only repeats its last
 * token, and tests of equality pass for the wrong reason.
 */
function tensors(vocabulary: number): Tensor[] {
  const range = 4 / Math.sqrt(width);
  const list: Tensor[] = [
    { name: 'token_embd.weight', shape: [width, vocabulary], range: 0.5 },
    { name: 'output.weight', shape: [width, vocabulary], range: 3 * range },
    { name: 'output_norm.weight', shape: [width], range: null },
  ];
  const keyWidth = (width * keyHeads) / heads;
  for (let layer = 0; layer < layers; layer++) {
    const add = (part: string, shape: number[], scale: number | null): unknown =>
      list.push({ name: `blk.${layer}.${part}.weight`, shape, range: scale });
    add('attn_norm', [width], null);
    add('attn_q', [width, width], range);
    add('attn_k', [width, keyWidth], range);
    add('attn_v', [width, keyWidth], range);
    add('attn_output', [width, width], range);
    add('ffn_norm', [width], null);
    add('ffn_gate', [width, inner], range);
    add('ffn_up', [width, inner], range);
    add('ffn_down', [inner, width], range);
  }
  return list;
}

function writeShape(gguf: Gguf, vocabulary: number): void {
  gguf.string('general.architecture', 'llama');
  gguf.string('general.name', 'tiny-fixture');
  gguf.number('general.file_type', 1);
  gguf.number('llama.context_length', 8192);
  gguf.number('llama.embedding_length', width);
  gguf.number('llama.block_count', layers);
  gguf.number('llama.feed_forward_length', inner);
  gguf.number('llama.attention.head_count', heads);
  gguf.number('llama.attention.head_count_kv', keyHeads);
  gguf.float('llama.attention.layer_norm_rms_epsilon', 1e-6);
  gguf.float('llama.rope.freq_base', 1e4);
  gguf.number('llama.rope.dimension_count', width / heads);
  gguf.number('llama.vocab_size', vocabulary);
}

function writeVocabulary(
  gguf: Gguf,
  tokens: readonly string[],
  types: readonly number[],
  merges: readonly string[],
): void {
  gguf.string('tokenizer.ggml.model', 'gpt2');
  gguf.string('tokenizer.ggml.pre', 'qwen2');
  gguf.strings('tokenizer.ggml.tokens', tokens);
  gguf.integers('tokenizer.ggml.token_type', types);
  gguf.strings('tokenizer.ggml.merges', merges);
  gguf.number('tokenizer.ggml.eos_token_id', tokens.indexOf('<|im_end|>'));
  gguf.number('tokenizer.ggml.bos_token_id', tokens.indexOf('<|endoftext|>'));
  gguf.number('tokenizer.ggml.padding_token_id', tokens.indexOf('<|endoftext|>'));
  gguf.flag('tokenizer.ggml.add_bos_token', false);
}

function elements({ shape }: Tensor): number {
  return shape.reduce((a, b) => a * b);
}

function weights(tensor: Tensor, noise: () => number): Buffer {
  const count = elements(tensor);
  const data = Buffer.alloc(count * (tensor.range === null ? 4 : 2));
  for (let at = 0; at < count; at++) {
    if (tensor.range === null) data.writeFloatLE(1, at * 4);
    else data.writeUInt16LE(half((noise() * 2 - 1) * tensor.range), at * 2);
  }
  return data;
}

function writeTinyModel(out: string, corpus: string): void {
  const letters = byteLetters();
  const merges = learnMerges(corpus, letters);
  const plain = [...new Set([...letters, ...merges.map((merge) => merge.replace(' ', ''))])];
  const tokens = [...plain, ...special.map(([text]) => text)];
  const types = [...plain.map(() => 1), ...special.map(([, type]) => type)];
  const list = tensors(tokens.length);
  const noise = createNoise(7);
  const data = list.map((tensor) => weights(tensor, noise));
  const gguf = createGguf();
  gguf.raw(Buffer.from('GGUF'));
  gguf.u32(3);
  gguf.u64(list.length);
  gguf.u64(22);
  writeShape(gguf, tokens.length);
  writeVocabulary(gguf, tokens, types, merges);
  let offset = 0;
  for (const [at, tensor] of list.entries()) {
    gguf.text(tensor.name);
    gguf.u32(tensor.shape.length);
    tensor.shape.forEach(gguf.u64);
    gguf.u32(tensor.range === null ? 0 : 1);
    gguf.u64(offset);
    offset += Math.ceil((data[at]?.length ?? 0) / 32) * 32;
  }
  gguf.pad(gguf.length());
  for (const part of data) {
    gguf.raw(part);
    gguf.pad(part.length);
  }
  writeFileSync(out, gguf.bytes());
}

/** `folder/tiny.gguf`, written if absent. */
export function tinyModel(folder: string): string {
  const file = path.join(folder, 'tiny.gguf');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeTinyModel(draft, tinyCorpus);
  renameSync(draft, file);
  return file;
}
