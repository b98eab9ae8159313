import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** An object of a base with the object that an overlay made of it. */
export type ObjectPairs = ReadonlyMap<KrmObject, KrmObject>

/**
 * Pairs objects of bases with those of an overlay, by group, kind and name. A namespace that only the overlay gives makes no difference,
 * nor does a prefix, a suffix or the hash of a generated name: ConfigMap `web-5f7b` of a base is `prod-web-c9d2` of the overlay.
 */
export function pairObjects(bases: readonly KrmObject[], overlays: readonly KrmObject[]): ObjectPairs {
  const pairs = new Map<KrmObject, KrmObject>()
  const taken = new Set<KrmObject>()
  for (const isPair of RULES) {
    for (const base of bases.toSorted((a, b) => nameOf(b).length - nameOf(a).length)) {
      if (pairs.has(base)) continue
      const found = overlays.filter((each) => !taken.has(each) && kindOf(each) === kindOf(base) && isPair(base, each))
      const [best] = found.toSorted((a, b) => nameOf(a).length - nameOf(b).length)
      if (best === undefined) continue
      pairs.set(base, best)
      taken.add(best)
    }
  }
  return pairs
}

const RULES: readonly ((base: KrmObject, overlay: KrmObject) => boolean)[] = [
  (base, overlay) => base.name === overlay.name && (base.namespace ?? '') === (overlay.namespace ?? ''),
  (base, overlay) => base.name === overlay.name,
  (base, overlay) => hasPart(nameOf(overlay), nameOf(base)),
  (base, overlay) => /^(?:ConfigMap|Secret)$/.test(base.kind ?? '') && hasPart(withoutHash(overlay), withoutHash(base)),
  // A Namespace with another name is the place of the other objects.
  (base) => base.kind === 'Namespace',
]

/** Returns true if a name is another one with something in front or behind, separated or not: `prod-web` has `web`. */
function hasPart(name: string, part: string): boolean {
  return part !== '' && (name.startsWith(part) || name.endsWith(part) || name.includes(`-${part}-`))
}

function withoutHash(object: KrmObject): string {
  return nameOf(object).replace(/-[a-z0-9]{10}$/, '')
}

function nameOf({ name = '' }: KrmObject): string {
  return name
}

function kindOf({ apiVersion = '', kind = '' }: KrmObject): string {
  return `${groupOf(apiVersion)}/${kind}`
}
