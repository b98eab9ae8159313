import type { FieldPath } from '../../field-path.ts'
import { DEFAULT_NAMESPACE } from '../../kubernetes/kinds.ts'
import { matchesSelector } from '../../kubernetes/label-selector.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, formatResourceRef, type Result } from '../../result.ts'
import type { KrmFunction } from '../../run.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { catalogConfig } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, mapItems } from '../edit-items.ts'
import { EditedObject } from './edited-object.ts'
import {
  copyOf,
  describeField,
  type Field,
  type FieldAt,
  isNull,
  memberField,
  plainScalar,
  type ScalarField,
  sizeOfField,
} from './field-tree.ts'
import { FieldPathError, type FieldSearch, type FoundField, findField, findFields } from './find-fields.ts'
import {
  type FieldOptions,
  type ObjectSelector,
  type Replacement,
  type ReplacementTarget,
  replacementsOf,
  type SteppedPath,
  type TargetSelector,
} from './replacements-config.ts'

/** Copies values from fields of one object into fields of others: the replacements of kustomize. */
export const APPLY_REPLACEMENTS: CatalogFunction = {
  name: 'apply-replacements',
  versions: ['v0.1.2', 'v0.1.1'],
  at: (version) => applyReplacements(version === 'v0.1.1' ? LENIENT : STRICT),
}

/** The differences between the versions, which contain different versions of kustomize. */
interface Dialect {
  /** Returns the fields of a target; throws FieldPathError. */
  find(search: FieldSearch, steps: readonly string[]): readonly FoundField[]
  /** If true, a target without the field is an error; if false, the target stays as it is. */
  readonly requiresField: boolean
  /** If true, a scalar keeps its type when it is replaced; if false, the type of the source replaces that of the target. */
  readonly keepsType: boolean
  /** If true, a source that is a target too gives each later target its new value. */
  readonly rereadsSource: boolean
}

/** kustomize api v0.19. */
const STRICT: Dialect = { find: findFields, requiresField: true, keepsType: true, rereadsSource: true }

/** kustomize api v0.11. */
const LENIENT: Dialect = {
  find: (search, steps) => {
    const field = findField(search, steps)
    return field === undefined ? [] : [field]
  },
  requiresField: false,
  keepsType: false,
  rereadsSource: false,
}

function applyReplacements(dialect: Dialect): KrmFunction {
  return (list: ResourceList) => {
    const config = catalogConfig(list, { kinds: ['ApplyReplacements'], takesConfigMap: false })
    const replacements = replacementsOf(config)
    const items = mapItems(list)
    const objects = items.map((item) => new EditedObject(item))
    const spend = workLimit()
    const faults = replacements.flatMap((replacement) => apply(replacement, { objects, config, dialect, spend }))
    if (faults.length > 0) throw new FunctionError(faults)
    editItems(items, () => {})
  }
}

interface Run {
  readonly objects: readonly EditedObject[]
  readonly config: KrmObject
  readonly dialect: Dialect
  /** Pays for so many objects, fields or characters; throws FunctionError when the run has read and written too much. */
  readonly spend: (units: number) => void
}

/** A map that is copied into itself doubles with every copy. 20,000 targets in 1,000 objects need a fifth of this. */
const MOST_WORK = 100_000_000

/** Copying a field of a map takes that many times the time and memory of reading one. */
const COPY_WORK = 200

/** A text may be divided at every second character. */
const PART_WORK = 20

function workLimit(): Run['spend'] {
  let left = MOST_WORK
  return (units) => {
    left -= units
    if (left >= 0) return
    const message = `\`replacements\` must read and write at most ${MOST_WORK} objects, fields and characters in all`
    throw new FunctionError([{ severity: 'error', message, field: { path: ['replacements'] }, tags: { rule: 'replacement-size' } }])
  }
}

/** Runs one replacement and returns its faults. */
function apply(replacement: Replacement, run: Run): readonly Result[] {
  const value = sourceOf(replacement, run)
  if ('severity' in value) return [value]
  return replacement.targets.flatMap((target) => {
    run.spend(run.objects.length)
    const selected = run.objects.filter((object) => isSelected(object, target))
    return target.fieldPaths.flatMap((fieldPath, index) =>
      writeTargets(selected, { target, fieldPath, at: [...target.at, 'fieldPaths', index] }, value, run),
    )
  })
}

/** The value of a source: the field, or a part of its text. A whole map or list is copied from its object. */
interface Source extends FieldAt {
  readonly item: KrmObject
  /** Returns the value at this moment. */
  now(): Field
}

/** Returns the value of the source of a replacement, or the fault if there is not exactly one. */
function sourceOf({ at, source }: Replacement, { objects, config, dialect, spend }: Run): Source | Result {
  const refused = (path: FieldPath, message: string) =>
    faultToResult(config, { severity: 'error', rule: 'replacement-source', path: [...at, 'source', ...path], message })
  spend(objects.length)
  const [object, ...others] = objects.filter(({ identity }) => matchesObject(identity, source))
  if (object === undefined) return refused([], 'must select an object of the package, and selects none')
  if (others.length > 0) {
    const names = [object, ...others].slice(0, MOST_NAMED).map(({ item }) => formatResourceRef(item.ref))
    return refused(
      [],
      `must select one object, and selects ${others.length + 1}: ${names.join(', ')}${others.length >= MOST_NAMED ? ', …' : ''}`,
    )
  }
  const name = formatResourceRef(object.item.ref)
  try {
    const found = findField({ object, create: undefined, spend }, source.fieldPath.steps)
    if (found === undefined || isEmpty(found.field))
      return refused(['fieldPath'], `must lead to a value of ${name}, got ${quoteText(source.fieldPath.text)}`)
    const { path, field } = found
    spend(sizeOfField(field))
    const part = partOf(field, source.options)
    const isRead = dialect.rereadsSource && part === field
    return { path, item: object.item, field: part, now: () => (isRead ? (fieldAt(object.root, path) ?? part) : part) }
  } catch (error) {
    if (error instanceof FieldPathError) return refused(['fieldPath'], `${error.message}, in ${name}`)
    throw error
  }
}

const MOST_NAMED = 5

function fieldAt(root: Field, path: FieldPath): Field | undefined {
  return path.reduce<Field | undefined>((field, step) => field && memberField(field, step), root)
}

function isEmpty(field: Field): boolean {
  return isNull(field) || (field.type === 'map' && field.entries.size === 0) || (field.type === 'list' && field.items.length === 0)
}

/** Returns the part of a text that the options of a source select. Throws FieldPathError when there is none. */
function partOf(field: Field, { delimiter, index }: FieldOptions): Field {
  if (delimiter === '') return field
  if (field.type !== 'scalar')
    throw new FieldPathError(`must lead to a text to be divided at ${quoteText(delimiter)}, got ${describeField(field)}`)
  const parts = field.text.split(delimiter)
  const part = parts[index]
  if (part === undefined)
    throw new FieldPathError(`must lead to a text with a part ${index}, got ${quoteText(field.text)}, which has ${parts.length}`)
  return typed(part, field)
}

function matchesObject(identity: ObjectSelector, selector: ObjectSelector): boolean {
  const { group, version, kind, name, namespace } = selector
  return (
    (name === '' || name === identity.name) &&
    (kind === '' || kind === identity.kind) &&
    (group === '' || group === identity.group) &&
    (version === '' || version === identity.version) &&
    (namespace === '' || namespace === (identity.namespace || DEFAULT_NAMESPACE))
  )
}

function isSelected(object: EditedObject, { select, reject }: ReplacementTarget): boolean {
  return matchesObject(object.identity, select) && matchesPairs(object, select) && !reject.some((each) => isRejected(object, each))
}

/** Returns true if one of the two parts of a selector matches: the names, or the labels and annotations. An empty part matches nothing. */
function isRejected(object: EditedObject, selector: TargetSelector): boolean {
  const { group, version, kind, name, namespace, labels, annotations } = selector
  const hasNames = [group, version, kind, name, namespace].some((text) => text !== '')
  const hasPairs = labels.matchExpressions.length + annotations.matchExpressions.length > 0
  return (hasNames && matchesObject(object.identity, selector)) || (hasPairs && matchesPairs(object, selector))
}

function matchesPairs(object: EditedObject, { labels, annotations }: TargetSelector): boolean {
  return (
    (labels.matchExpressions.length === 0 || matchesSelector(labels, object.pairs('labels'))) &&
    (annotations.matchExpressions.length === 0 || matchesSelector(annotations, object.pairs('annotations')))
  )
}

/** One field path of a target, and its place in the functionConfig. */
interface TargetPath {
  readonly target: ReplacementTarget
  readonly fieldPath: SteppedPath
  readonly at: FieldPath
}

/** Writes the value into the fields of all objects that a target selects. Returns one fault for the objects in which that fails. */
function writeTargets(objects: readonly EditedObject[], place: TargetPath, value: Source, run: Run): readonly Result[] {
  const failed = objects.flatMap((object) => {
    try {
      object.attempt(() => writeTarget(object, place, value, run))
      return []
    } catch (error) {
      if (error instanceof FieldPathError) return [{ ref: object.item.ref, message: error.message }]
      throw error
    }
  })
  const [first, ...others] = failed
  if (first === undefined) return []
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const message = `${first.message}, in ${formatResourceRef(first.ref)}${more}`
  return [faultToResult(run.config, { severity: 'error', rule: 'replacement-target', path: place.at, message })]
}

function writeTarget(object: EditedObject, { target, fieldPath }: TargetPath, value: Source, { dialect, spend }: Run): void {
  const { options } = target
  const fields = dialect.find({ object, create: options.create ? value.field.type : undefined, spend }, fieldPath.steps)
  if (fields.length === 0 && dialect.requiresField)
    throw new FieldPathError(`must lead to an existing field, unless \`create\` is true; got ${quoteText(fieldPath.text)}`)
  for (const found of fields) {
    if (found.path.length === 0) throw new FieldPathError('must not lead to the whole object')
    const field = value.now()
    const scalar = scalarFor(found, field, options, dialect)
    spend(workOf(scalar, field, options))
    if (scalar === undefined) object.put(found.path, copyOf(field), value)
    else if (found.isNew || !isSame(found.field, scalar)) object.put(found.path, scalar)
  }
}

function workOf(scalar: ScalarField | undefined, value: Field, { delimiter }: FieldOptions): number {
  if (scalar === undefined) return COPY_WORK * sizeOfField(value)
  return scalar.text.length * (delimiter === '' ? 1 : PART_WORK)
}

/** Returns the scalar that a field becomes; undefined if the field becomes a copy of the map or list of the source. */
function scalarFor({ field, isNew }: FoundField, value: Field, options: FieldOptions, { keepsType }: Dialect): ScalarField | undefined {
  const text = value.type === 'scalar' ? value.text : ''
  const joined = options.delimiter === '' ? undefined : joinedText(field, text, options)
  if (keepsType && field.type === 'scalar') return isNew || isNull(field) ? plainScalar(joined ?? text) : typed(joined ?? text, field)
  if (value.type !== 'scalar') return undefined
  return joined === undefined ? value : typed(joined, value)
}

/** Returns the text of a field with one part replaced, or with a part before the first or after the last. */
function joinedText(field: Field, part: string, { delimiter, index }: FieldOptions): string {
  if (field.type !== 'scalar')
    throw new FieldPathError(`must lead to a text to be divided at ${quoteText(delimiter)}, got ${describeField(field)}`)
  const parts = field.text.split(delimiter)
  if (index < 0) return [part, ...parts].join(delimiter)
  return [...parts.slice(0, index), part, ...parts.slice(index + 1)].join(delimiter)
}

/**
 * Returns a text as a scalar of the type that another scalar has.
 *
 * @throws FieldPathError  when the text is no number in the place of a number, or neither true nor false in the place of a boolean
 */
function typed(text: string, { value, text: old }: ScalarField): ScalarField {
  if (typeof value === 'string' || value === null) return { type: 'scalar', text, value: text }
  const scalar = plainScalar(text)
  const isNumber = typeof value !== 'boolean' && ['number', 'bigint'].includes(typeof scalar.value)
  if (isNumber || typeof scalar.value === typeof value) return scalar
  throw new FieldPathError(
    `must not lead to the ${typeof value === 'boolean' ? 'boolean' : 'number'} ${old}, since ${quoteText(text)} is none`,
  )
}

function isSame(field: Field, scalar: ScalarField): boolean {
  return field.type === 'scalar' && field.text === scalar.text && typeof field.value === typeof scalar.value
}
