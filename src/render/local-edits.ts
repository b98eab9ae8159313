import { compareText } from '../field-path.ts'
import { equalJson, type JsonRecord } from '../json.ts'
import { isBytes, objectsIn, type PackageContent, type PackageFiles } from '../merge/package-files.ts'
import { isSameContent } from '../merge/same-content.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import type { RenderedContent, RenderedFiles } from './rendered-package.ts'

/**
 * The files in which a package is not what its variant makes of its revision: what people did to it.
 *
 * @param fresh  the package as it would be made anew
 */
export function localEdits(fresh: RenderedFiles, downstream: PackageFiles): readonly string[] {
  const paths = [...new Set([...fresh.keys(), ...downstream.keys()])].sort(compareText)
  return paths.filter((path) => !isSame(path, contentOf(fresh.get(path)), downstream.get(path)))
}

function contentOf(content: RenderedContent | undefined): PackageContent | undefined {
  return content === undefined || isBytes(content) ? content : content.map(({ object }) => object)
}

function isSame(path: string, fresh: PackageContent | undefined, downstream: PackageContent | undefined): boolean {
  const [kptfiles, others] = path === KPTFILE ? [objectsIn(fresh), objectsIn(downstream)] : [[], []]
  if (kptfiles.length === 0 || others.length === 0) return isSameContent(fresh, downstream)
  return kptfiles.length === others.length && kptfiles.every((object, index) => isSameKptfile(object, others[index] ?? object))
}

/** What tools note in a Kptfile is no edit. */
function isSameKptfile(a: KrmObject, b: KrmObject): boolean {
  return equalJson(byHand(a), byHand(b))
}

function byHand(kptfile: KrmObject): JsonRecord {
  const { upstream: _, upstreamLock: __, status: ___, ...rest } = kptfile.toJson()
  return rest
}
