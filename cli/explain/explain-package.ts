import { formatFieldPath } from '../../src/field-path.ts'
import { asList, asRecord, isRecord, type JsonValue, lookup, memberOf, scalarText } from '../../src/json.ts'
import { readKptfileUpstream } from '../../src/kinds/kptfile-upstream.ts'
import { printable } from '../../src/printable.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf, KPTFILE } from '../../src/resource-list/package-of.ts'
import { describeValue } from '../../src/schema/describe-value.ts'
import { CONTEXT_NAME } from '../../src/variant/package-context.ts'
import { INJECTED_ANNOTATION, OWNED_FUNCTION_PREFIX, SEED_INJECTED_ANNOTATION, VARIANT_ANNOTATION } from '../../src/well-known.ts'
import { placed } from '../print/print-results.ts'
import type { Styles } from '../print/styles.ts'
import { placeText } from './explain-text.ts'

/** The rendered package of a variant, and the values in it that are known not to be upstream's. */
export interface ExplainedPackage {
  /** The folder of the package, as the caller sees it. */
  readonly folder: string
  /** The upstream package and its revision: `catalog/shop v3`. */
  readonly upstream?: string
  /** `FILE:LINE` of the revision. */
  readonly place?: string
  readonly values: readonly PackageValue[]
}

interface PackageValue {
  /** The field, or the object whose configuration was injected: `data.region`, `ServiceEndpoints endpoints`. */
  readonly field: string
  /** `FILE:LINE`. */
  readonly place?: string
  /** The field of the variant that gives the value, or what render does. */
  readonly from: string
}

/**
 * Returns the package that was rendered for a variant, if it is among the objects: its values from the package context, the pipeline and
 * the injectors of the variant.
 *
 * @param owner  NAMESPACE/NAME of the variant
 * @param given  the values of the variant by field: `spec.packageContext.data.region`
 */
export function explainPackage(
  owner: string,
  items: readonly KrmObject[],
  given: ReadonlyMap<string, JsonValue>,
): ExplainedPackage | undefined {
  const kptfile = items.find(({ kind, annotations }) => kind === KPTFILE && annotations.get(VARIANT_ANNOTATION) === owner)
  if (kptfile?.file === undefined) return undefined
  const folder = folderOf(kptfile.file.path)
  const below = folder === '' ? '' : `${folder}/`
  const own = items.filter(({ file }) => file?.path.startsWith(below) === true)
  const { upstreamLock, upstream } = readKptfileUpstream(kptfile).value
  const key = upstreamLock === undefined ? 'upstream' : 'upstreamLock'
  const origin = upstreamLock ?? upstream
  return {
    folder,
    ...(origin && { upstream: `${origin.repo}${origin.directory} ${origin.ref}`, ...placed(kptfile, [key, 'git', 'ref']) }),
    values: [...own.flatMap((object) => contextValues(object, given)), ...functionValues(kptfile), ...own.flatMap(injectedValues)],
  }
}

/** The keys that render writes into the package context by itself. */
const WRITTEN_BY_RENDER = ['name', 'package-path']

function contextValues(object: KrmObject, given: ReadonlyMap<string, JsonValue>): readonly PackageValue[] {
  if (object.kind !== 'ConfigMap' || object.name !== CONTEXT_NAME) return []
  const data = object.get(['data'])
  return Object.keys(asRecord(data)).map((key) => {
    const path = ['data', key]
    const source = formatFieldPath(['spec', 'packageContext', ...path])
    const other = WRITTEN_BY_RENDER.includes(key) ? 'render, from the name of the package' : 'upstream, or an edit'
    const asked = given.get(source)
    const from = asked === undefined ? other : originOf(source, asked, memberOf(data, key))
    return { field: formatFieldPath(path), ...placed(object, path), from }
  })
}

/** Returns the origin of a value whose field the variant sets: the variant, or, for another value than the variant's, a person. */
function originOf(source: string, asked: JsonValue, found: JsonValue | undefined): string {
  if (scalarText(asked) === scalarText(found)) return `${source} of the variant`
  return `an edit, or not rendered since: ${source} of the variant is ${describeValue(asked)}`
}

function functionValues(kptfile: KrmObject): readonly PackageValue[] {
  return ['mutators', 'validators'].flatMap((stage) => {
    const list = kptfile.get(['pipeline', stage])
    return asList(list).flatMap((entry: JsonValue, index): readonly PackageValue[] => {
      const path = ['pipeline', stage, index]
      if (!isRecord(entry)) return []
      const isOwn = scalarText(lookup(entry, 'name')).startsWith(OWNED_FUNCTION_PREFIX)
      const from = isOwn ? `spec.pipeline.${stage} of the variant` : "upstream's Kptfile"
      return [
        {
          field: `${formatFieldPath(path)} ${scalarText(lookup(entry, 'image') ?? lookup(entry, 'exec'))}`,
          ...placed(kptfile, path),
          from,
        },
      ]
    })
  })
}

function injectedValues(object: KrmObject): readonly PackageValue[] {
  const name = object.annotations.get(INJECTED_ANNOTATION) ?? object.annotations.get(SEED_INJECTED_ANNOTATION)
  if (name === undefined) return []
  return [
    {
      field: `${object.kind} ${object.name}`,
      ...placed(object, []),
      from: `${object.kind} ${name}, injected by spec.injectors of the variant`,
    },
  ]
}

/** Returns the package for a terminal. */
export function packageText({ folder, upstream, place, values }: ExplainedPackage, styles: Styles): string {
  const made = upstream === undefined ? '' : `, made from ${printable(upstream)}`
  const lines = values.map(
    (value) => `  ${styles.strong(printable(value.field))}${placeText(value.place, styles)}\n      ${printable(value.from)}\n`,
  )
  return `\nPackage ${styles.strong(printable(folder))}${made}${placeText(place, styles)}\n${lines.join('')}  every other value is upstream's, written by a function of the package, or an edit\n`
}
