// Fills a form on a terminal: field by field, then looked over, then Accept, Decline or Cancel (spec host §17).
import type { Interface } from 'node:readline/promises';
import type { Field, Form } from '../../shared/forms.ts';
import { textOf, type Json, type JsonObject } from '../../shared/json.ts';
import type { QuestionAnswer } from '../../shared/questions.ts';
import { checkAnswer } from '../../shared/formAnswer.ts';
import { describeField, fromText } from '../forms.ts';
import { openTerminal } from './terminal.ts';
import { visible } from '../visible.ts';

/** What the person says; null leaves the question waiting. */
export async function fillForm(form: Form, signal: AbortSignal): Promise<QuestionAnswer | null> {
  const lines = openTerminal();
  try {
    const content: JsonObject = {};
    for (;;) {
      const can = form.kind === 'refused' ? 'd = decline, c = cancel' : 'a = accept, d = decline, c = cancel';
      const said = (await lines.question(`  ${can}, Enter = leave it waiting: `, { signal })).trim().toLowerCase();
      if (said === 'd') return { action: 'decline' };
      if (said === 'c') return { action: 'cancel' };
      if (said !== 'a') return null;
      if (form.kind === 'url') return { action: 'accept' };
      if (form.kind === 'refused') continue;
      for (const field of form.fields) await fillField(lines, field, content, signal);
      const checked = checkAnswer(form, content);
      if (!checked.ok) {
        for (const { field, says } of checked.problems) process.stdout.write(`  ${visible(field)}: ${visible(says)}\n`);
        continue;
      }
      for (const [name, value] of Object.entries(checked.content))
        process.stdout.write(`  ${visible(name)} = ${visible(textOf(value))}\n`);
      const sure = (await lines.question('  y = send it, anything else = change it: ', { signal }))
        .trim()
        .toLowerCase();
      if (sure === 'y') return { action: 'accept', content: checked.content };
    }
  } finally {
    lines.close();
  }
}

async function fillField(lines: Interface, field: Field, content: JsonObject, signal: AbortSignal): Promise<void> {
  for (;;) {
    const before: Json | undefined = content[field.name];
    const keep = before === undefined ? '' : ` [${visible(textOf(before))}]`;
    const typed = fromText(field, await lines.question(`  ${visible(describeField(field))}${keep}\n  > `, { signal }));
    if (!typed.ok) {
      process.stdout.write(`  ${visible(typed.says)}\n`);
      continue;
    }
    if (typed.value !== undefined) content[field.name] = typed.value;
    return;
  }
}
