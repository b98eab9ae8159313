import { maskedText } from '../folder/masked-text.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { hideKnownIn, hideKnownSecrets } from '../known-secrets.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { mayHoldSecret, NOT_SHOWN, OTHER_NOT_SHOWN, withoutSecretValues } from '../secret-values.ts'
import { valueAt } from './field-changes.ts'
import type { ChangedField, ChangedObject, ChangeGroup, ChangePlace } from './report.ts'

type Group = Omit<ChangeGroup, 'id'>

/**
 * Returns a group without the values of Secrets, for all formats: a value that changes is `not-shown` before and `other-not-shown` after.
 * Groups are made of the true values, so that different changes stay apart.
 */
export function withoutSecretsInGroup(group: Group): Group {
  const isSecret = group.objects.some(({ kind }) => kind === 'Secret')
  if (!isSecret && !group.objects.some(holdsSecret) && !group.fields.some(({ path }) => path.startsWith('metadata.annotations')))
    return withoutKnown(group)
  const kind = isSecret ? 'Secret' : ''
  const known = isSecret ? group.objects.flatMap(({ before, after }) => [before, after].flatMap((text) => secretsOf(text))) : []
  const hideFields = (fields: readonly ChangedField[]) => fields.map((field) => withoutSecretsInField(field, { kind, known }))
  return withoutKnown({
    ...group,
    objects: group.objects.map(withoutSecretsInObject),
    fields: hideFields(group.fields),
    places: group.places.map(
      (place): ChangePlace => ({
        ...place,
        ...(place.objects && { objects: place.objects.map(withoutSecretsInObject) }),
        ...(place.fields && { fields: hideFields(place.fields) }),
      }),
    ),
  })
}

/** Returns a group whose fields and texts do not repeat the values of Secrets that were read. */
function withoutKnown(group: Group): Group {
  const hideFields = (fields: readonly ChangedField[]) =>
    fields.map(
      ({ before, after, ...field }): ChangedField => ({
        ...field,
        ...(before !== undefined && { before: hideKnownIn(before) }),
        ...(after !== undefined && { after: hideKnownIn(after, before) }),
      }),
    )
  return {
    ...group,
    objects: group.objects.map((object) => ({
      ...object,
      ...(object.before !== undefined && { before: hideKnownSecrets(object.before) }),
      ...(object.after !== undefined && { after: hideKnownSecrets(object.after, object.before) }),
    })),
    fields: hideFields(group.fields),
    places: group.places.map((place) => ({ ...place, ...(place.fields && { fields: hideFields(place.fields) }) })),
  }
}

function holdsSecret({ before = '', after = '' }: ChangedObject): boolean {
  return mayHoldSecret(before) || mayHoldSecret(after)
}

function withoutSecretsInObject({ value, before, after, ...name }: ChangedObject): ChangedObject {
  return {
    ...name,
    ...(value && { value: withoutSecretValues(value) }),
    ...(before !== undefined && { before: maskedText(before) }),
    ...(after !== undefined && { after: maskedText(after, before) }),
  }
}

function secretsOf(text = ''): readonly JsonValue[] {
  if (text === '') return []
  const object = KrmObject.fromDocument(text)
  return [object.get(['data']) ?? null, object.get(['stringData']) ?? null]
}

/** A field's object: its kind, and the values that its annotations may repeat. */
interface FieldHolder {
  readonly kind: string
  readonly known: readonly JsonValue[]
}

function withoutSecretsInField(field: ChangedField, { kind, known }: FieldHolder): ChangedField {
  const { steps, before, after, ...rest } = field
  const [first, second] = steps
  if (field.isComment === true && kind === 'Secret') return { ...field, before: NOT_SHOWN, after: OTHER_NOT_SHOWN }
  const mayBeSecret = kind === 'Secret' || (first === 'metadata' && second === 'annotations')
  const isNested = steps.every((step) => typeof step === 'string')
  if (!mayBeSecret || !isNested || field.isComment === true) return field
  const objectOf = (value: JsonValue): JsonRecord => {
    const nested = steps.reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), value)
    return { kind, ...(kind !== '' && { stringData: known }), ...(isRecord(nested) && nested) }
  }
  const old = before === undefined ? undefined : objectOf(before)
  const shownBefore = old && valueAt(withoutSecretValues(old), steps)
  const shownAfter = after === undefined ? undefined : valueAt(withoutSecretValues(objectOf(after), old), steps)
  return {
    steps,
    ...(shownBefore !== undefined && { before: shownBefore }),
    ...(shownAfter !== undefined && { after: shownAfter }),
    ...rest,
  }
}
