import { compareText } from '../field-path.ts'
import { equalJson, type JsonRecord } from '../json.ts'
import { ownText } from '../merge/own-text.ts'
import type { PackageContent, PackageFiles } from '../merge/package-files.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { equalBytes, isBytes, type RenderedContent, type RenderedFiles } from './rendered-package.ts'

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
  if (fresh === undefined || downstream === undefined) return false
  if (isBytes(fresh) || isBytes(downstream)) return isBytes(fresh) && isBytes(downstream) && equalBytes(fresh, downstream)
  const equal = path === KPTFILE ? isSameKptfile : (a: KrmObject, b: KrmObject) => ownText(a) === ownText(b)
  return fresh.length === downstream.length && fresh.every((object, index) => equal(object, downstream[index] ?? object))
}

/** What tools note in a Kptfile is no edit. */
function isSameKptfile(a: KrmObject, b: KrmObject): boolean {
  return equalJson(byHand(a), byHand(b))
}

function byHand(kptfile: KrmObject): JsonRecord {
  const { upstream: _, upstreamLock: __, status: ___, ...rest } = kptfile.toJson()
  return rest
}
