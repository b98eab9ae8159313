import { join, posix } from 'node:path'
import { revisionChanges } from '../../src/diff/package-changes.ts'
import { writeAt } from '../../src/folder/write-at.ts'
import { type ImportOrigin, isSameImport, nextRevision, originOf } from '../../src/intake/next-revision.ts'
import { isRecord } from '../../src/json.ts'
import type { Host } from '../host.ts'
import { importPlace } from '../import/import-place.ts'
import type { Imported } from '../import/import-sources.ts'
import { changesText, readRevisionFiles } from '../import/import-text.ts'
import { printResults } from '../print/print-results.ts'
import { errorStylesFor } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import type { BuiltTree } from './built-tree.ts'
import { matrixInFile } from './object-in-file.ts'
import { changedFieldSets } from './overlay-field-files.ts'
import { addEdits } from './prove-fleet.ts'
import { writeBaseRevision } from './write-fleet.ts'

/** Returns the origin of a base, with the folder of the tree and the command that converts again. */
export function originFor({ origin }: Imported, path: string, { command }: BuiltTree): ImportOrigin {
  return { ...origin, path, command }
}

/** The fleet that gets revisions: its working folder, and its place in messages. */
export interface RaisedFleet {
  readonly work: string
  readonly out: string
  readonly warn: Host['warn']
  /** The matrices that an interrupted run was about to raise. */
  readonly unwritten: ReadonlySet<string>
}

/**
 * Writes the next revision of each base that changed, and raises the revision in the matrix. Warns of what people wrote into the last
 * revision and the next one lacks, as `import` does. Returns a line for each change, by the overlay.
 *
 * @throws UsageError for a matrix that does not name the package
 */
export function raiseBases(tree: BuiltTree, { work, out, warn, unwritten }: RaisedFleet, host: Host): Map<string, readonly string[]> {
  const lines = new Map<string, readonly string[]>()
  for (const [path, own] of tree.packages) {
    const imported = tree.bases.get(path)
    if (imported === undefined) continue
    const { last, revision } = importPlace(`catalog/${own}`, host)
    const origin = originFor(imported, path, tree)
    const users = tree.overlays.filter(({ bases }) => bases.includes(path))
    const add = (line: string) => {
      for (const { id } of users) addEdits(lines, id, [line])
    }
    if (last === undefined) {
      add(`${own}: no package of the fleet is made of '${path}', so its objects are edits; convert into a new folder makes the package`)
      continue
    }
    const fields = changedFieldSets(tree, last.files)
    if (fields.size === 0 && isSameImport(origin, originOf(last.files))) {
      if (unwritten.has(matrixPath(own)) && raise(work, own, last.revision)) add(`${own}: raised to ${last.revision}`)
      continue
    }
    const place = posix.join(out, `catalog/${own}@${last.revision}`)
    const next = nextRevision({ name: own, objects: imported.objects, origin, last: { ...last, place }, setters: [] })
    const files = new Map([...next.files, ...fields])
    writeBaseRevision(work, `catalog/${own}@${revision}`, files, last.disk)
    const styles = errorStylesFor(host, {})
    warn(printResults(next.results, styles))
    if (next.results.some(({ tags }) => tags.rule === 'import-edited'))
      warn(changesText(revisionChanges(last.files, readRevisionFiles(files)), place, styles))
    raise(work, own, revision)
    add(`${own}: raised to ${revision}`)
  }
  return lines
}

function matrixPath(name: string): string {
  return `fleet/${name}.yaml`
}

/** Writes a revision, such as v2, into a matrix. Returns false if the matrix has it. */
function raise(work: string, name: string, written: string): boolean {
  const [path, revision] = [matrixPath(name), Number(written.slice(1))]
  const found = matrixInFile(work, name)
  if (found === undefined) throw new UsageError(`no matrix '${path}' in the fleet: raise the revision of '${name}' to ${revision} by hand`)
  const { object } = found
  const upstreams = object.get(['spec', 'upstreams'])
  const index = Array.isArray(upstreams) ? upstreams.findIndex((each) => isRecord(each) && each.package === name) : -1
  if (index === -1) throw new UsageError(`no upstream '${name}' in '${path}': raise its revision to ${revision} by hand`)
  const field = ['spec', 'upstreams', index, 'revision']
  if (object.get(field) === revision) return false
  object.set(field, revision)
  writeAt(join(work, path), found.fileWith(object.toText()))
  return true
}
