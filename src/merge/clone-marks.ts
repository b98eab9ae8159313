import { asRecord, type JsonRecord, lookup, memberOf } from '../json.ts'
import { UPSTREAM_IDENTIFIER } from './upstream-identity.ts'

/*
 * The annotations that a clone writes on the resources of a package. They are nobody's edit: a merge looks at a resource without them, and
 * what it makes of the resource has them again.
 */

/** The annotation by which kpt names the makers of a resource of Config Connector (kpt internal/util/attribution). */
export const BLUEPRINT = 'cnrm.cloud.google.com/blueprint'

/** Matches a tool among the makers, with or without the package that the tool cloned: `kpt-fn`, `kpt-pkg-fn`, `krm-pkg`. */
const TOOL = /^k(?:pt|rm)-/

/** Returns the makers with a package among them: `` → `krm-pkg`, `cnrm/terraform,kpt-fn` → `cnrm/terraform,kpt-pkg-fn`. */
export function withPackage(makers: string): string {
  const known = makersIn(makers)
  if (!known.some((maker) => TOOL.test(maker))) return [...known, 'krm-pkg'].join(',')
  return known.map((maker) => (TOOL.test(maker) && !maker.includes('pkg') ? maker.replace('-', '-pkg-') : maker)).join(',')
}

/** Returns the makers without a package: `cnrm/terraform,krm-pkg` → `cnrm/terraform`, `kpt-pkg-fn` → `kpt-fn`. */
export function withoutPackage(makers: string): string {
  const bare = makersIn(makers).map((maker) => (TOOL.test(maker) ? maker.replace(/-pkg(?=-|$)/, '') : maker))
  return bare.filter((maker) => maker !== 'krm' && maker !== 'kpt').join(',')
}

function makersIn(makers: string): readonly string[] {
  return makers.split(',').filter((maker) => maker !== '')
}

/** Returns an object without the marks of a clone. */
export function withoutCloneMarks(object: JsonRecord): JsonRecord {
  const annotations = annotationsOf(object)
  const blueprint = lookup(annotations, BLUEPRINT)
  const own = typeof blueprint === 'string' ? withoutPackage(blueprint) : blueprint
  if (!Object.hasOwn(annotations, UPSTREAM_IDENTIFIER) && own === blueprint) return object
  const { [UPSTREAM_IDENTIFIER]: _, [BLUEPRINT]: __, ...others } = annotations
  return withAnnotations(object, { ...others, ...(own !== undefined && own !== '' && { [BLUEPRINT]: own }) })
}

/** Returns an object with the marks that the downstream or upstream object has; the upstream identifier is the downstream's. */
export function withCloneMarksOf(object: JsonRecord, ours: JsonRecord, theirs: JsonRecord | undefined): JsonRecord {
  const identifier = lookup(annotationsOf(ours), UPSTREAM_IDENTIFIER)
  const isOfPackage = [ours, theirs].some((side) => side !== undefined && hasPackage(lookup(annotationsOf(side), BLUEPRINT)))
  if (identifier === undefined && !isOfPackage) return object
  const annotations = annotationsOf(object)
  const makers = lookup(annotations, BLUEPRINT) ?? ''
  return withAnnotations(object, {
    ...annotations,
    ...(identifier !== undefined && { [UPSTREAM_IDENTIFIER]: identifier }),
    ...(isOfPackage && typeof makers === 'string' && { [BLUEPRINT]: withPackage(makers) }),
  })
}

function hasPackage(makers: unknown): boolean {
  return typeof makers === 'string' && withoutPackage(makers) !== makers
}

function annotationsOf(object: JsonRecord): JsonRecord {
  return asRecord(memberOf(lookup(object, 'metadata'), 'annotations'))
}

/** Returns an object with other annotations; without the field if there are none. */
function withAnnotations(object: JsonRecord, annotations: JsonRecord): JsonRecord {
  const { annotations: _, ...metadata } = asRecord(lookup(object, 'metadata'))
  return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } }
}
