import type { FieldPath } from '../../field-path.ts'
import { type JsonValue, scalarText } from '../../json.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { isNestedValue, scalarTexts } from '../../schema/config-map-pairs.ts'
import { describeChoice, describeValue, quoteNames } from '../../schema/describe-value.ts'
import { didYouMean } from '../../schema/nearest-name.ts'
import { additionalFields } from '../additional-fields.ts'
import { catalogConfig, fieldError, knownPairs } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, mapItems, refuseTwins } from '../edit-items.ts'
import { existingPlaces, type FieldSpec, isOfSpecKind, kustomizePlaces, wrongType } from '../field-places.ts'
import { dependencyKey, followDependsOn, RenamedObjects } from './follow-names.ts'

/** Writes a text before or behind the names that do not contain it, and into the references to these names. */
export const ENSURE_NAME_SUBSTRING: CatalogFunction = {
  name: 'ensure-name-substring',
  versions: ['v0.2.0'],
  at: () => ensureNameSubstring,
}

function ensureNameSubstring(list: ResourceList): void {
  const { substring, mode, fields } = optionsOf(catalogConfig(list, { kinds: ['EnsureNameSubstring'] }))
  const newName = (name: string) => (mode === 'prepend' ? `${substring}${name}` : `${name}${substring}`)
  const items = mapItems(list)
  refuseTwins(items)
  const keys = new Set(items.map(dependencyKey))
  const renamed = new RenamedObjects(newName)
  editItems(
    items.filter((item) => !keepsName(item)),
    (item) => {
      const { name = '' } = item
      const places = fields.filter((field) => isOfSpecKind(item, field)).flatMap((field) => placesOf(item, field))
      const changed = places.filter((place) => !textAt(item, place).includes(substring))
      for (const place of changed) item.set(place, newName(textAt(item, place)))
      if (changed.length > 0) followDependsOn(item, keys, newName)
      if (name !== '' && !name.includes(substring)) renamed.add(item, name)
    },
  )
  editItems(items, (item) => renamed.follow(item))
}

type Mode = (typeof MODES)[number]
const MODES = ['prepend', 'append'] as const

interface Options {
  readonly substring: string
  readonly mode: Mode
  /** `metadata/name` and the fields that the functionConfig adds. */
  readonly fields: readonly FieldSpec[]
}

const NAME_FIELD: FieldSpec = { path: 'metadata/name', create: false }

/** @throws FunctionError  for a functionConfig without a name, and without one text that is not empty */
function optionsOf(config: KrmObject): Options {
  if (config.name === undefined || config.name === '')
    throw fieldError(config, { rule: 'required', path: ['metadata', 'name'], message: 'must be set' })
  return config.kind === 'ConfigMap' ? pairOptions(config) : ownOptions(config)
}

function pairOptions(config: KrmObject): Options {
  const [pair, second] = knownPairs(config, MODES)
  if (pair === undefined || second !== undefined)
    throw fieldError(config, { rule: 'exclusive-fields', path: ['data'], message: `must have one of ${quoteNames(MODES)}` })
  const [mode, substring] = pair
  if (substring === '') throw fieldError(config, { rule: 'required', path: ['data', mode], message: 'must have a text' })
  return { substring, mode: mode === 'append' ? 'append' : 'prepend', fields: [NAME_FIELD] }
}

/** Returns the options of an EnsureNameSubstring; a number as `substring` counts as its spelling. */
function ownOptions(config: KrmObject): Options {
  const value = config.get(['substring']) ?? ''
  if (isNestedValue(value)) throw wrongType(config, ['substring'], 'a string', value)
  const substring = scalarTexts(config, [], { substring: value }).get('substring') ?? ''
  if (substring === '') throw fieldError(config, { rule: 'required', path: ['substring'], message: 'must be set' })
  const given = config.get(['editMode']) ?? 'prepend'
  const mode = MODES.find((each) => each === given)
  if (mode === undefined)
    throw fieldError(config, {
      rule: 'allowed-values',
      path: ['editMode'],
      message: `must be ${describeChoice(MODES)}, got ${describeValue(given)}${didYouMean(scalarText(given), MODES)}`,
    })
  const [name = 'additionalNameFields', second] = ['additionalNameFields', 'fieldSpecs'].filter((key) => config.get([key]) !== undefined)
  if (second !== undefined)
    throw fieldError(config, {
      rule: 'exclusive-fields',
      path: [second],
      message: `must not be set beside \`${name}\`, of which it is the old name`,
    })
  return { substring, mode, fields: [NAME_FIELD, ...additionalFields(config, name)] }
}

/** Kinds whose names are those of other things: of an API, of a package, of a namespace that others share. */
function keepsName({ apiVersion = '', kind }: KrmObject): boolean {
  if (kind === 'CustomResourceDefinition' || kind === 'Namespace') return true
  return (
    (kind === 'APIService' && groupOf(apiVersion) === 'apiregistration.k8s.io') || (kind === 'Kptfile' && groupOf(apiVersion) === 'kpt.dev')
  )
}

function placesOf(item: KrmObject, field: FieldSpec): readonly FieldPath[] {
  return field.create ? kustomizePlaces(item, field) : existingPlaces(item, field.path)
}

/** Returns the text of a scalar, '' for null and a missing value. @throws FunctionError  for a map or a list */
function textAt(item: KrmObject, place: FieldPath): string {
  const value: JsonValue = item.get(place) ?? null
  if (isNestedValue(value)) throw wrongType(item, place, 'a string', value)
  return scalarText(value)
}
