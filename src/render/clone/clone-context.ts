import { asRecord, type JsonRecord } from '../../json.ts'
import { isReservedKey } from '../../kinds/reserved-context-key.ts'
import { isBytes, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import { folderOf, isKptfile, joinPath } from '../../resource-list/package-of.ts'
import { CONTEXT_FILE, CONTEXT_NAME, isPackageContext } from '../../variant/package-context.ts'
import { made, type RenderedContent, type RenderedFiles, type RenderedObject } from './rendered-package.ts'
import { dropMergeComment } from './upstream-mark.ts'

/** Returns the files without the package contexts in some of them; a file that held nothing else is left out (kpt pkg_context.go). */
export function withoutContexts(files: PackageFiles, isIn: (path: string) => boolean = () => true): PackageFiles {
  return new Map(
    [...files].flatMap(([path, content]): readonly [string, PackageContent][] => {
      if (isBytes(content) || !isIn(path) || !content.some(isPackageContext)) return [[path, content]]
      const rest = content.filter((object) => !isPackageContext(object))
      return rest.length === 0 ? [] : [[path, rest]]
    }),
  )
}

/**
 * Returns the content of `package-context.yaml` in a package's folder: the package context with the given data and with upstream's
 * defaults (`log-level: info`) after the other objects of the file. Comments of upstream's package context stay where their fields
 * stay.
 *
 * @param before  the file in the upstream package
 * @param without the file's other content
 */
export function contextFile(
  before: RenderedContent | undefined,
  without: RenderedContent | undefined,
  data: Readonly<Record<string, string>>,
): RenderedContent {
  const existing = isBytes(before) ? undefined : before?.find(({ object }) => isPackageContext(object))
  const value = contextValue({ ...defaultsIn(existing), ...data })
  const rest = isBytes(without) || without === undefined ? [] : without
  return [...rest, existing === undefined ? made(value) : rewritten(existing, value)]
}

/** Returns the paths of the Kptfiles of a package and its subpackages. */
export function kptfilePaths(files: RenderedFiles): readonly string[] {
  return [...files.keys()].filter(isKptfile)
}

/** Returns the path of the package context beside a Kptfile. */
export function contextPath(kptfile: string): string {
  return joinPath(folderOf(kptfile), CONTEXT_FILE)
}

/** Returns the data of upstream's package context that a clone does not write; kpt loses these (kpt#3973). */
function defaultsIn(existing: RenderedObject | undefined): JsonRecord {
  const data = Object.entries(asRecord(existing?.source.get(['data'])))
  return Object.fromEntries(data.filter(([key]) => !isReservedKey(key)))
}

function contextValue(data: JsonRecord): JsonRecord {
  const annotations = { 'config.kubernetes.io/local-config': 'true' }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: CONTEXT_NAME, annotations }, data: { ...data } }
}

function rewritten({ source }: RenderedObject, value: JsonRecord): RenderedObject {
  const object = source.draft()
  dropMergeComment(object)
  object.set([], value)
  return { from: 'theirs', source, object }
}
