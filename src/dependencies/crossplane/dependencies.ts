import { versionsOfKind } from '../../kinds/package-kinds.ts'
import { groupOf } from '../../resource-list/identity.ts'
import { quote, shorten } from '../finding.ts'
import type { WantedKind } from '../package-index.ts'
import { kindIn } from '../reading/catalog.ts'
import type { Collector } from '../reading/collector.ts'
import { childField, childText, itemFields, keysOf, type ObjectField, textOfField } from '../reading/field.ts'
import { hasRegistry, type PackageReference, parseReference, referenceFault } from './reference.ts'

/** An item of dependsOn, read. */
export type DependsOn =
  | DependsOnPackage
  | { readonly type: 'gvk'; readonly wanted: WantedKind; readonly field: ObjectField }
  | DependsOnCrossplane

export interface DependsOnPackage {
  readonly type: 'package'
  /** Provider, Configuration or Function; '' for a form without a kind (seed 003). */
  readonly kind: string
  /** The apiVersion of the form, or that of today's packages. */
  readonly apiVersion: string
  readonly source: string
  readonly constraint: string
  readonly constraintField: ObjectField
  readonly field: ObjectField
}

/** The range of Crossplane versions a package runs on. */
export interface DependsOnCrossplane {
  readonly type: 'crossplane'
  readonly constraint: string
  readonly constraintField: ObjectField
}

/** The forms of dependsOn that are read: the forms of Crossplane today, or of seed 003. */
export type DependencyForms = 'current' | 'seed'

/** Reads dependsOn. Items without a form are left out, with their fault. */
export function readDependsOn(list: ObjectField, forms: DependencyForms, collector: Collector): DependsOn[] {
  const read = forms === 'seed' ? readSeedItem : readCurrentItem
  return itemFields(list).flatMap((item) => read(item, collector) ?? [])
}

/** The API of Providers, Configurations and Functions. */
export const PACKAGE_API = 'pkg.crossplane.io/v1'

// The first key that is present decides, as in Crossplane (revision/dependency.go).
const KINDS = [
  { key: 'configuration', kind: 'Configuration' },
  { key: 'provider', kind: 'Provider' },
  { key: 'function', kind: 'Function' },
] as const
const EXPLICIT_KEYS = ['apiVersion', 'kind', 'package'] as const
const CURRENT_KEYS = [...KINDS.map(({ key }) => key), ...EXPLICIT_KEYS, 'version']
const SEED_KEYS = ['package', 'crd', 'crossplane'] as const

function readCurrentItem(item: ObjectField, collector: Collector): DependsOnPackage | undefined {
  const seed = keysOf(item).filter((key) => key === 'crd' || key === 'crossplane')
  if (seed.length > 0) return refuseSeedForm(item, seed, collector)
  collector.unknownKeys(item, CURRENT_KEYS)
  const explicit = EXPLICIT_KEYS.every((key) => childText(item, key) !== '')
  const named = KINDS.filter(({ key }) => childText(item, key) !== '')
  const forms = [...(explicit ? ['apiVersion, kind and package'] : []), ...named.map(({ key }) => key)]
  const [form, ...more] = forms
  if (form === undefined) {
    collector.form(item, `must have one of 'provider', 'configuration', 'function', or 'apiVersion', 'kind' and 'package'`)
    return undefined
  }
  const several = `has several forms, of which Crossplane takes '${form}': ${forms.join('; ')}`
  if (more.length > 0) collector.add('dependency-form-invalid', item, several, { severity: 'warning' })
  if (explicit && !installsPackage(item, collector)) return undefined
  const sourceField = childField(item, explicit ? 'package' : (named[0]?.key ?? ''))
  const installedAs = explicit ? kindIn(item) : { apiVersion: PACKAGE_API, kind: named[0]?.kind ?? '' }
  return packageOf(item, sourceField, installedAs, collector)
}

/** Returns true for an apiVersion of Crossplane's groups. In other groups packages may be of any kind. */
export function isOfCrossplane(apiVersion: string): boolean {
  return /(^|\.)crossplane\.io$/.test(groupOf(apiVersion))
}

/** Reports an apiVersion or a kind of Crossplane's groups that installs no package. */
function installsPackage(item: ObjectField, collector: Collector): boolean {
  if (!isOfCrossplane(childText(item, 'apiVersion'))) return true
  const kind = collector.choice(
    childField(item, 'kind'),
    KINDS.map((each) => each.kind),
  )
  const served = versionsOfKind(`${groupOf(PACKAGE_API)}/${kind}`)?.served ?? [PACKAGE_API]
  const apiVersion = collector.choice(childField(item, 'apiVersion'), served)
  return apiVersion !== undefined && kind !== undefined
}

// Gone since the seed: the modern place is proposed.
function refuseSeedForm(item: ObjectField, keys: readonly string[], collector: Collector): undefined {
  const modern = keys.includes('crossplane')
    ? '`spec.crossplane.version` is the place for it'
    : 'packages are required by source, not by what they bring'
  collector.form(item, `has '${keys.join("' and '")}', a form that Crossplane no longer has: ${modern}`)
  return undefined
}

function packageOf(
  item: ObjectField,
  sourceField: ObjectField,
  installedAs: Pick<DependsOnPackage, 'apiVersion' | 'kind'>,
  collector: Collector,
): DependsOnPackage {
  const source = textOfField(sourceField) ?? ''
  const constraintField = childField(item, 'version')
  checkSource(sourceField, source, collector)
  return { type: 'package', ...installedAs, source, constraint: collector.text(constraintField) ?? '', constraintField, field: item }
}

/** Reports a source that no package has: one with a tag or a digest, whose place is the constraint, or one that no registry can hold. */
function checkSource(field: ObjectField, source: string, collector: Collector): void {
  const reference = parseReference(source)
  if (reference.source === source) checkReference(field, reference, collector)
  else collector.form(field, `must be a source without tag and digest, whose place is \`version\`, got ${quote(source)}`)
}

/** Reports a reference without a registry, since Crossplane 2 has no default registry, or one that no registry can hold. */
export function checkReference(field: ObjectField, reference: PackageReference, collector: Collector): void {
  const { source } = reference
  if (source === '') return
  const [fault, got] = hasRegistry(source)
    ? [referenceFault(reference), textOfField(field) ?? '']
    : [`must name its registry, such as xpkg.crossplane.io/${shorten(source)}`, source]
  if (fault !== undefined) collector.add('dependency-form-invalid', field, `${fault}, got ${quote(got)}`, { severity: 'warning' })
}

function readSeedItem(item: ObjectField, collector: Collector): DependsOn | undefined {
  collector.unknownKeys(item, [...SEED_KEYS, 'version'])
  const forms = SEED_KEYS.filter((key) => childField(item, key).value !== undefined)
  const [form] = forms
  if (form === undefined || forms.length > 1) {
    const found = forms.length === 0 ? 'none of them' : forms.map((each) => `'${each}'`).join(' and ')
    collector.form(item, `must have exactly one of 'package', 'crd', 'crossplane', got ${found}`)
    return undefined
  }
  const field = childField(item, form)
  if (form === 'crossplane') return { type: 'crossplane', constraint: collector.text(field) ?? '', constraintField: field }
  return form === 'crd' ? readDefinition(field, collector) : readSeedPackage(item, field, collector)
}

// `SOURCE[ RANGE]`, or the range beside it.
function readSeedPackage(item: ObjectField, field: ObjectField, collector: Collector): DependsOnPackage | undefined {
  const written = collector.name(field)
  if (written === '') return undefined
  const [, source = written, range = ''] = /^(\S+)(?:\s+(.*\S))?\s*$/.exec(written) ?? []
  const beside = childField(item, 'version')
  checkSource(field, source, collector)
  const constraint = range === '' ? (collector.text(beside) ?? '') : range
  const constraintField = range === '' ? beside : field
  return { type: 'package', kind: '', apiVersion: PACKAGE_API, source, constraint, constraintField, field: item }
}

function readDefinition(field: ObjectField, collector: Collector): DependsOn | undefined {
  const name = textOfField(field)
  if (name !== undefined) return { type: 'gvk', wanted: { definition: name }, field }
  collector.unknownKeys(field, ['apiVersion', 'group', 'version', 'kind'])
  const apiVersion =
    childText(field, 'apiVersion') || [childText(field, 'group'), childText(field, 'version')].filter((part) => part !== '').join('/')
  const kind = childText(field, 'kind')
  if (apiVersion !== '' && kind !== '') return { type: 'gvk', wanted: { apiVersion, kind }, field }
  collector.form(field, `must have 'apiVersion' and 'kind', or 'group', 'version' and 'kind'`)
  return undefined
}
