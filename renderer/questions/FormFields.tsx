// The fields of a server's form: its labels and help drawn as text, ranges and defaults in words, nothing answered that the
// person did not answer.
import {
  Button as AriaButton,
  CheckboxGroup,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  RadioGroup,
  Select,
  SelectValue,
  Text,
} from 'react-aria-components';
import { allowed } from '../../shared/fieldValues.ts';
import type { Choice, Field as FormField, FieldProblem } from '../../shared/forms.ts';
import { Field } from '../parts/Field.tsx';
import { drawn } from '../parts/Foreign.tsx';
import { OneOf, Tick } from '../parts/Option.tsx';
import { answerWords, shownOf, type Filled } from './filled.ts';
import styles from './FormFields.module.css';

/** Above this many choices, a list that opens. */
const mostRadios = 8;
const none = '\u0000none';

interface Props {
  fields: FormField[];
  filled: Filled;
  fill: (name: string, value: Filled[string]) => void;
  problems: FieldProblem[];
}

export function FormFields({ fields, problems, ...rest }: Props) {
  return (
    <>
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          wrong={sentence(problems.find((one) => one.field === field.name)?.says)}
          {...rest}
        />
      ))}
    </>
  );
}

interface OneProps extends Omit<Props, 'fields' | 'problems'> {
  field: FormField;
  wrong: string | null;
}

function OneField(props: OneProps) {
  switch (props.field.type) {
    case 'string':
    case 'number':
    case 'integer':
      return <TypedField {...props} />;
    case 'boolean':
      return (
        <PickedField
          {...props}
          choices={[
            { value: 'true', title: 'Yes' },
            { value: 'false', title: 'No' },
          ]}
          read={(value) => value === 'true'}
        />
      );
    case 'choice':
      return <PickedField {...props} choices={props.field.choices} read={(value) => value} />;
    case 'choices':
      return <TickedField {...props} choices={props.field.choices} />;
  }
}

function sentence(says: string | undefined): string | null {
  return says === undefined ? null : says.charAt(0).toUpperCase() + says.slice(1);
}

function nameOf(field: FormField): string {
  return `${field.title ?? field.name}${field.required ? '' : ' (optional)'}`;
}

/** Help, what is allowed, the default, and what is not checked. */
function Help({ field, filled }: { field: FormField; filled: Filled }) {
  const untouched = !Object.hasOwn(filled, field.name) || filled[field.name] === undefined;
  const words = field.type === 'boolean' || field.type === 'choice' ? null : range(field);
  return (
    <>
      {field.description !== null && <span className={styles.line}>{drawn(field.description)}</span>}
      {words !== null && <span className={styles.line}>Takes {drawn(words)}.</span>}
      {field.default !== null && (
        <span className={styles.line}>
          {untouched ? 'The server’s default: ' : 'Changed from the server’s default: '}
          {drawn(answerWords(field, field.default))}
        </span>
      )}
      {field.notes.map((note) => (
        <span key={note} className={styles.line}>
          {drawn(note)}
        </span>
      ))}
    </>
  );
}

function range(field: FormField): string | null {
  const words = allowed(field, (choices) => `${choices.length} choices`);
  return words === 'text' || words.startsWith('any number of') ? null : words;
}

function TypedField({ field, filled, fill, wrong }: OneProps) {
  const shown = shownOf(field, filled);
  const long = field.type === 'string' && field.format === null && (field.maxLength === null || field.maxLength > 120);
  return (
    <Field
      label={nameOf(field)}
      value={typeof shown === 'string' ? shown : ''}
      onChange={(value) => fill(field.name, value)}
      help={<Help field={field} filled={filled} />}
      wrong={wrong}
      required={field.required}
      {...(long ? { lines: 3 } : {})}
    />
  );
}

type PickProps = OneProps & { choices: Choice[]; read: (value: string) => string | boolean };

function PickedField(props: PickProps) {
  return props.choices.length > mostRadios ? <SelectField {...props} /> : <RadiosField {...props} />;
}

/** The key of what is chosen; `none` where an optional field is without an answer. */
function chosenKey({ field, filled }: OneProps): string | null {
  const shown = shownOf(field, filled);
  if (shown === null) return field.required ? null : none;
  return typeof shown === 'boolean' ? String(shown) : typeof shown === 'string' ? shown : null;
}
function offered({ field, choices }: PickProps): Choice[] {
  return field.required ? choices : [...choices, { value: none, title: 'No answer' }];
}

function RadiosField(props: PickProps) {
  const { field, filled, fill, wrong, read } = props;
  return (
    <RadioGroup
      className={styles.group ?? ''}
      value={chosenKey(props)}
      onChange={(value) => fill(field.name, value === none ? null : read(value))}
      isRequired={field.required}
      isInvalid={wrong !== null}
      validationBehavior="aria"
    >
      <Label className={styles.label ?? ''}>{drawn(nameOf(field))}</Label>
      <Text slot="description" className={styles.help ?? ''}>
        <Help field={field} filled={filled} />
      </Text>
      {offered(props).map(({ value, title }) => (
        <OneOf key={value} value={value}>
          {drawn(title)}
          {value !== title && value !== none && field.type === 'choice' && (
            <span className={styles.sends}> sends {drawn(value)}</span>
          )}
        </OneOf>
      ))}
      {wrong !== null && <FieldError className={styles.wrong ?? ''}>{drawn(wrong)}</FieldError>}
    </RadioGroup>
  );
}

function SelectField(props: PickProps) {
  const { field, filled, fill, wrong, read } = props;
  return (
    <Select
      className={styles.group ?? ''}
      value={chosenKey(props)}
      onChange={(key) => fill(field.name, key === none || key === null ? null : read(String(key)))}
      isRequired={field.required}
      isInvalid={wrong !== null}
      validationBehavior="aria"
      placeholder="Nothing chosen"
    >
      <Label className={styles.label ?? ''}>{drawn(nameOf(field))}</Label>
      <Text slot="description" className={styles.help ?? ''}>
        <Help field={field} filled={filled} />
      </Text>
      <AriaButton className={styles.select ?? ''}>
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </AriaButton>
      {wrong !== null && <FieldError className={styles.wrong ?? ''}>{drawn(wrong)}</FieldError>}
      <Popover className={styles.popover ?? ''} data-popup>
        <ListBox className={styles.choices ?? ''}>
          {offered(props).map(({ value, title }) => (
            <ListBoxItem key={value} id={value} textValue={title} className={styles.choice ?? ''}>
              {drawn(title)}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

function TickedField({ field, filled, fill, wrong, choices }: OneProps & { choices: Choice[] }) {
  const shown = shownOf(field, filled);
  return (
    <CheckboxGroup
      className={styles.group ?? ''}
      value={Array.isArray(shown) ? shown : []}
      onChange={(values) => fill(field.name, values)}
      isRequired={field.required}
      isInvalid={wrong !== null}
      validationBehavior="aria"
    >
      <Label className={styles.label ?? ''}>{drawn(nameOf(field))}</Label>
      <Text slot="description" className={styles.help ?? ''}>
        <Help field={field} filled={filled} />
      </Text>
      <div className={styles.ticks}>
        {choices.map(({ value, title }) => (
          <Tick key={value} value={value}>
            {drawn(title)}
          </Tick>
        ))}
      </div>
      {wrong !== null && <FieldError className={styles.wrong ?? ''}>{drawn(wrong)}</FieldError>}
    </CheckboxGroup>
  );
}
