import type { FieldPath } from '../../field-path.ts'
import { type JsonValue, scalarText } from '../../json.ts'
import { objectPlace } from '../../resource-list/finding-place.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import type { Result } from '../../result.ts'
import { isNestedValue } from '../../schema/config-map-pairs.ts'
import { quoteNames } from '../../schema/describe-value.ts'
import { additionalFields } from '../additional-fields.ts'
import { catalogConfig, configExpression, fieldError, knownPairs, optionalText, textPairs, withExpression } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, type Growth, mapItems } from '../edit-items.ts'
import { existingPlaces, type FieldSpec, isOfSpecKind, wrongType } from '../field-places.ts'

/** Writes a new name, tag or digest into the images with a name. */
export const SET_IMAGE: CatalogFunction = {
  name: 'set-image',
  versions: ['v0.1.1', 'master'],
  at: (version) => (version === 'master' ? setImageOfMaster : setImage),
}

/** The options of an image; '' for a missing one. */
type ImageChange = Readonly<Record<(typeof IMAGE_KEYS)[number], string>>

const IMAGE_KEYS = ['name', 'newName', 'newTag', 'digest'] as const

/** A field that held an image with the name, and what it got. */
interface ChangedImage {
  readonly item: KrmObject
  readonly place: FieldPath
  readonly before: string
  readonly after: string
}

/** Sets images as v0.1.1 does: in every kind, with one result for each image that has the name, changed or not. */
function setImage(list: ResourceList): void {
  const config = catalogConfig(list, { kinds: ['SetImage'] })
  const change = imageChangeOf(config, textPairs)
  if (change.newTag !== '' && change.digest !== '') {
    const path = [...holderOf(config), 'digest']
    throw fieldError(config, { rule: 'exclusive-fields', path, message: 'must not be set beside `newTag`' })
  }
  const changed = changeImages(list, config, {
    change,
    fields: [...additionalFieldsOf(config), ...CONTAINER_FIELDS],
    imageAt: scalarAt,
    // kustomize of that version knows a tag or a digest, not both.
    pattern: '(@sha256)?(:[a-zA-Z0-9_.{}-]*)?$',
  })
  const results = changed.map(({ item, place, before, after }): Result => {
    return {
      severity: 'info',
      message: `set image from ${before} to ${after}`,
      ...objectPlace(item),
      field: { path: place.filter((step) => typeof step === 'string'), currentValue: before, proposedValue: after },
      position: item.positionOf(place),
      tags: RULE,
    }
  })
  list.results.push(...results)
  if (results.length === 0) list.results.push({ severity: 'info', message: 'no images changed', tags: RULE })
}

/** Sets images as the sources after v0.1.1 do: in the containers of six kinds, without init containers, with one result with a count. */
function setImageOfMaster(list: ResourceList): void {
  const config = catalogConfig(list, { kinds: ['SetImage'] })
  const change = imageChangeOf(config, (object) => knownPairs(object, IMAGE_KEYS))
  const pattern = '(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$'
  const inContainers = changeImages(list, config, {
    change: change.digest === '' ? change : { ...change, newTag: '' },
    fields: MASTER_FIELDS,
    imageAt: stringAt,
    pattern,
  }).filter(({ before, after }) => before !== after)
  const inFields = changeImages(list, config, { change, fields: additionalFieldsOf(config), imageAt: scalarAt, pattern })
  const count = inContainers.length + inFields.length
  list.results.push({ severity: 'info', message: `summary: updated a total of ${count} image(s)`, tags: RULE })
}

const RULE = { rule: 'set-image' } as const

const CONTAINER_FIELDS: readonly FieldSpec[] = [
  { path: 'spec/containers[]/image', create: false },
  { path: 'spec/initContainers[]/image', create: false },
  { path: 'spec/template/spec/containers[]/image', create: false },
  { path: 'spec/template/spec/initContainers[]/image', create: false },
]

const MASTER_FIELDS: readonly FieldSpec[] = [
  { kind: 'Pod', path: 'spec/containers[]/image', create: false },
  ...['Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet', 'PodTemplate'].map((kind) => ({
    kind,
    path: 'spec/template/spec/containers[]/image',
    create: false,
  })),
]

/** Returns the field that holds the options: `data` of a ConfigMap, `image` of a SetImage. */
function holderOf({ kind }: KrmObject): FieldPath {
  return [kind === 'ConfigMap' ? 'data' : 'image']
}

/**
 * Returns the options of the functionConfig.
 *
 * @param pairs  returns the options of a ConfigMap
 * @throws FunctionError  when there is no name, or nothing new
 */
function imageChangeOf(
  config: KrmObject,
  pairs: (config: KrmObject, path: FieldPath, scalars: boolean) => ReadonlyMap<string, string>,
): ImageChange {
  const holder = holderOf(config)
  const given = config.kind === 'ConfigMap' ? pairs(config, holder, true) : undefined
  const option = (key: string) => given?.get(key) ?? (given === undefined ? optionalText(config, [...holder, key]) : '')
  const change = { name: option('name'), newName: option('newName'), newTag: option('newTag'), digest: option('digest') }
  if (change.name === '') throw fieldError(config, { rule: 'required', path: [...holder, 'name'], message: 'must be set' })
  if (change.newName + change.newTag + change.digest !== '') return change
  const message = `must have one of ${quoteNames(['newName', 'newTag', 'digest'])}`
  throw fieldError(config, { rule: 'required', path: holder, message })
}

function additionalFieldsOf(config: KrmObject): readonly FieldSpec[] {
  return config.kind === 'ConfigMap' ? [] : additionalFields(config, 'additionalImageFields')
}

interface ImageSearch {
  readonly change: ImageChange
  readonly fields: readonly FieldSpec[]
  /** Returns the text of an image, undefined for null. Throws FunctionError for a value that is no image. */
  imageAt(item: KrmObject, place: FieldPath): string | undefined
  /** A regular expression for the text that may follow the name in an image. */
  readonly pattern: string
}

/**
 * Writes the images that have the name, in all objects but CustomResourceDefinitions.
 *
 * @returns every image that has the name, also one that stays as it is
 * @throws FunctionError  as `imageAt` and `existingPlaces`
 */
function changeImages(list: ResourceList, config: KrmObject, { change, fields, imageAt, pattern }: ImageSearch): readonly ChangedImage[] {
  const namePath = [...holderOf(config), 'name']
  const expression = configExpression(config, namePath, `^${change.name}${pattern}`)
  const changed: ChangedImage[] = []
  const changeItem = (item: KrmObject, growth: Growth): void => {
    if (item.kind === 'CustomResourceDefinition') return
    for (const place of fields.filter((each) => isOfSpecKind(item, each)).flatMap(({ path }) => existingPlaces(item, path))) {
      const before = imageAt(item, place)
      if (before === undefined || !expression.test(before)) continue
      const after = changedImage(before, change)
      growth.take(after.length - before.length)
      if (after !== before) item.set(place, after)
      changed.push({ item, place, before, after })
    }
  }
  withExpression(config, namePath, () => editItems(mapItems(list), changeItem))
  return changed
}

/** Returns the text of a scalar. */
function scalarAt(item: KrmObject, place: FieldPath): string | undefined {
  const value: JsonValue = item.get(place) ?? null
  if (isNestedValue(value)) throw wrongType(item, place, 'a string', value)
  return value === null ? undefined : scalarText(value)
}

/** Returns the text of a string; a number is no image. */
function stringAt(item: KrmObject, place: FieldPath): string | undefined {
  const value: JsonValue = item.get(place) ?? null
  if (value !== null && typeof value !== 'string') throw wrongType(item, place, 'a string', value)
  return value ?? undefined
}

/**
 * Returns the image with its new parts. A new tag or digest replaces both the old tag and the old digest.
 *
 * @example `nginx:1.14@sha256:ab` with newTag 1.25 → `nginx:1.25`; with newName web → `web:1.14@sha256:ab`
 */
function changedImage(image: string, { newName, newTag, digest }: ImageChange): string {
  const [before = '', oldDigest] = splitAt(image, image.indexOf('@'))
  const colon = before.lastIndexOf(':')
  const [oldName = '', oldTag] = splitAt(before, colon > before.lastIndexOf('/') ? colon : -1)
  const isNew = newTag !== '' || digest !== ''
  const tag = isNew ? newTag : (oldTag ?? '')
  const sum = isNew ? digest : (oldDigest ?? '')
  return `${newName === '' ? oldName : newName}${tag === '' ? '' : `:${tag}`}${sum === '' ? '' : `@${sum}`}`
}

/** Splits a text at an offset and drops the character there; one part for -1. */
function splitAt(text: string, at: number): readonly [string, string?] {
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
