import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { definedEntries } from '../../group-by.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, newRecord } from '../../json.ts'
import { LAST_GENERATED_ANNOTATION } from '../../well-known.ts'
import { listNames, nameSome } from '../finding.ts'
import type { NewFieldValue } from '../reading/ecosystem.ts'
import { pathOfField, textAt } from '../reading/field.ts'
import { type EditedField, editedFields } from '../reading/last-generated.ts'
import { RESOLVED_ANNOTATION } from '../reading/object-metadata.ts'
import type { DeclaredPackage } from './dependencies.ts'
import { CARVEL_OWNER_ANNOTATION, type PackageInstall } from './installs.ts'
import { areFor } from './requirements.ts'

/** The settings that a PackageInstall passes on to an install that is made for it (seed 002). */
export interface Handed {
  readonly serviceAccountName: string
  readonly defaultNamespace: string
  readonly values: readonly JsonValue[]
}

/** Returns the settings that an owner passes on to a dependency. */
export function handedBy(
  { object, values }: Pick<PackageInstall, 'object' | 'values'>,
  dependency: Pick<DeclaredPackage, 'refName' | 'alias'>,
): Handed {
  return {
    serviceAccountName: textAt(object, 'spec', 'serviceAccountName'),
    defaultNamespace: textAt(object, 'spec', 'defaultNamespace'),
    values: values.filter((each) => areFor(each, dependency)).map(({ secretRef }) => ({ secretRef })),
  }
}

/** Returns the fields of `spec` that an owner decides; undefined for a field that is absent. */
export function handedFields({ serviceAccountName, defaultNamespace, values }: Handed) {
  return [
    ['serviceAccountName', serviceAccountName || undefined],
    ['defaultNamespace', defaultNamespace || undefined],
    ['values', values.length > 0 ? values : undefined],
  ] as const
}

/** Returns `spec` of the install that is made for a dependency (seed 002, Example of a PackageInstall that is automatically created). */
export function generatedSpec(refName: string, versionSelection: JsonRecord, handed: Handed): JsonRecord {
  const [account, namespace, values] = handedFields(handed)
  return Object.fromEntries(definedEntries<string, JsonValue>([account, namespace, ['packageRef', { refName, versionSelection }], values]))
}

/**
 * Returns `spec` as an install was generated: from its annotation, or, if an older version generated the install, as it would be generated
 * for its owner now. Returns undefined if neither is known.
 */
export function generatedBase(install: PackageInstall, owner: PackageInstall | undefined): JsonRecord | undefined {
  const { lastGenerated, ref } = install
  if (lastGenerated.type === 'recorded') return lastGenerated.spec
  if (lastGenerated.type === 'unreadable' || owner === undefined) return undefined
  const selection = { constraints: ref.constraints, ...(ref.prereleases !== undefined && { prereleases: {} }) }
  return generatedSpec(ref.refName, selection, handedBy(owner, { refName: ref.refName, alias: undefined }))
}

/** Returns the fields that people changed in an install since it was generated: where no annotation records `spec`, the version alone. */
export function editsOf(install: PackageInstall): readonly EditedField[] {
  const { lastGenerated, object, ref, constraintsField } = install
  if (lastGenerated.type === 'recorded')
    return [...editedFields(lastGenerated.spec, object.get(['spec']), ['spec']), ...addedAnnotations(install)]
  const generated = object.annotations.get(RESOLVED_ANNOTATION)
  if (generated === undefined || generated === ref.constraints) return []
  return [{ path: pathOfField(constraintsField), generated, current: constraintsField.value }]
}

// The annotations with which people configure kapp-controller and kapp. Functions of a pipeline add other annotations, and labels, to every
// object; kapp adds the left out ones to what it deploys.
const CONFIGURING = /(^|\.)(carvel\.dev|k14s\.io)\//
const OF_KAPP = /^kapp\.k14s\.io\/(identity|original|original-diff-md5)$/

function addedAnnotations({ object: { annotations } }: PackageInstall): readonly EditedField[] {
  const added = [...annotations].filter(([key]) => CONFIGURING.test(key) && !OF_KAPP.test(key) && key !== CARVEL_OWNER_ANNOTATION)
  return added.map(([key, current]) => ({ path: ['metadata', 'annotations', key], generated: undefined, current }))
}

/** Returns the reason why `prune` must not remove a generated install, as a clause; undefined if no person edited the install. */
export function reasonToKeep(install: PackageInstall, owner: PackageInstall | undefined): string | undefined {
  const { lastGenerated } = install
  if (lastGenerated.type === 'recorded') {
    const edits = editsOf(install)
    return edits.length === 0 ? undefined : `people changed ${nameFields(edits)}`
  }
  const base = generatedBase(install, owner)
  if (base === undefined) {
    const annotation = lastGenerated.type === 'absent' ? 'has no annotation' : 'has a faulty annotation'
    return `it ${annotation} ${LAST_GENERATED_ANNOTATION}, so it is not known what people changed`
  }
  const different = [...editedFields(base, install.object.get(['spec']), ['spec']), ...addedAnnotations(install)]
  if (different.length === 0) return undefined
  return `${nameFields(different)} ${different.length === 1 ? 'is' : 'are'} not as generated for PackageInstall ${owner?.name}`
}

function nameFields(edits: readonly EditedField[]): string {
  return listNames(nameSome(edits, ({ path }) => `\`${formatFieldPath(path)}\``))
}

/**
 * Returns the changes of a generated install without those of fields that people edited: a person's service account stays when the install
 * gets another owner.
 *
 * @param base  `spec` as it was generated; undefined if that is not known: then every field with a value counts as edited
 */
export function withoutEdited(
  changes: readonly NewFieldValue[],
  { object }: Pick<PackageInstall, 'object'>,
  base: JsonRecord | undefined,
): readonly NewFieldValue[] {
  const generatedAt = (path: FieldPath) => path.slice(1).reduce<JsonValue | undefined>(memberOf, base)
  return changes.filter(({ path }) => equalJson(object.get(path), generatedAt(path)))
}

/** Returns `spec` as generated after some changes of its fields. */
export function generatedAfter(base: JsonRecord, changes: readonly NewFieldValue[]): JsonRecord {
  return changes.reduce((spec, { path, value }) => withField(spec, path.slice(1), value), base)
}

/** Returns a map with another value at a path of keys; without the key if the value is undefined. */
function withField(map: JsonRecord, [key = '', ...rest]: FieldPath, value: JsonValue | undefined): JsonRecord {
  const there = lookup(map, String(key))
  const next = rest.length === 0 ? value : withField(isRecord(there) ? there : newRecord(), rest, value)
  const { [String(key)]: _, ...others } = map
  return next === undefined ? others : { ...map, [String(key)]: next }
}
