/** From segments to token ids and back, by the trust of each segment. Ids are made once; generated ids are never re-made. */
import type { LlamaModel, Token } from 'node-llama-cpp';
import { Failure } from '../../shared/failures.ts';
import type { Segment } from './protocol.ts';
import { createSafeText, isControlString } from './safeText.ts';

export type Tokens = ReturnType<typeof createTokens>;

interface Control {
  ids: Set<Token>;
  strings: string[];
}

function scan(model: LlamaModel): Control {
  const ids = new Set<Token>();
  const strings: string[] = [];
  for (const token of model.iterateAllTokens()) {
    const { control, userDefined } = model.getTokenAttributes(token);
    if (!control && !userDefined) continue;
    const text = model.detokenize([token], true);
    if (!control && !isControlString(text)) continue;
    ids.add(token);
    strings.push(text);
  }
  return { ids, strings };
}

export function createTokens(model: LlamaModel) {
  const control = scan(model);
  const safe = createSafeText(control.strings);

  function segmentIds({ text, trust }: Segment): Token[] {
    if (text === '') return [];
    if (trust === 'own') return model.tokenize(text, true);
    // The filter is the last line behind safeText: whatever a tokeniser makes of the text, no control token enters.
    return model.tokenize(safe(text), false).filter((id) => !control.ids.has(id));
  }
  function ids(segments: readonly Segment[]): Token[] {
    return segments.flatMap(segmentIds);
  }
  return {
    ids,
    /** As `ids`, with the beginning mark where this model was trained with one. */
    startIds(segments: readonly Segment[]): Token[] {
      const { bos, shouldPrependBosToken } = model.tokens;
      const rest = ids(segments);
      return shouldPrependBosToken && bos !== null && rest[0] !== bos ? [bos, ...rest] : rest;
    },
    text(of: readonly Token[]): string {
      return model.detokenize(of, true);
    },
    /** Control tokens end a generation: what the model writes can no more speak the control language than a ticket can. */
    isControl(token: Token): boolean {
      return control.ids.has(token) || model.isEogToken(token);
    },
    /** The first token of each option; they must differ, since one decode decides. */
    firstTokens(options: readonly string[]): Token[] {
      const seen = new Map<Token, string>();
      if (options.length === 0)
        throw new Failure('model.labels', 'There is nothing to choose from. Offer at least one option.', { options });
      return options.map((option) => {
        const [first] = segmentIds({ text: option, trust: 'model' });
        if (first === undefined)
          throw new Failure('model.labels', 'One of the options is empty. Give every option a name.', { options });
        const other = seen.get(first);
        if (other !== undefined) {
          const message = `The options “${other}” and “${option}” begin with the same token, so one step cannot tell them apart. Name one of them differently.`;
          throw new Failure('model.labels', message, { options: [other, option] });
        }
        seen.set(first, option);
        return first;
      });
    },
  };
}
