import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { injectConfig } from '../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../functions/prepend-pipeline/prepend-pipeline.ts'
import { setContext } from '../functions/set-context/set-context.ts'
import { diskTree } from '../src/folder/file-tree.ts'
import { findPackageFiles } from '../src/folder/find-package-files.ts'
import { splitDocuments } from '../src/folder/split-documents.ts'
import { equalJson, isRecord, type JsonRecord, lookup } from '../src/json.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import { hasErrors } from '../src/result.ts'
import { lostLines } from './conformance-runner/mutations/kept-lines.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

// Packages of public repositories. They are no part of the repository; a continuous build must have them.
const REAL = '../shared/real/packages'
const here = SHARED_MUST_BE_THERE || existsSync(REAL)

const POINT = ['metadata', 'annotations', 'kpt.dev/config-injection']
const FUNCTION = { name: 'PackageVariant.made-up.site.0', image: 'set-labels:v0.2', configMap: { site: 'edge-01' } }
const VARIANT = KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: made-up, namespace: default}
spec:
  upstream: {repo: blueprints, package: any, revision: 1}
  downstream: {repo: edge-01, package: any}
  packageContext: {data: {site: edge-01}}
  pipeline: {mutators: [{name: site, image: "set-labels:v0.2", configMap: {site: edge-01}}]}
  injectors: [{name: made-up}]
`)

interface Package {
  readonly folder: string
  readonly documents: readonly { readonly path: string; readonly index: number; readonly text: string; readonly line: number }[]
}

/** Every package that no other package is above, with its subpackages: documents that are resources. */
function readPackages(): readonly Package[] {
  const files = findPackageFiles(diskTree(REAL))
  const folders = files.flatMap((path) => (path.endsWith('/Kptfile') ? [dirname(path)] : []))
  const roots = folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
  return roots.map((folder) => {
    const own = files.filter((path) => path.startsWith(`${folder}/`))
    return { folder, documents: own.flatMap((path) => readDocuments(folder, path)) }
  })
}

function readDocuments(folder: string, path: string): Package['documents'] {
  const chunks = splitDocuments(readFileSync(join(REAL, path), 'utf8')).chunks.filter(({ isEmpty }) => !isEmpty)
  const documents = chunks.map(({ text, line }, index) => ({ path: path.slice(folder.length + 1), index, text, line }))
  return documents.filter((document) => isReadable(document))
}

function isReadable({ text, ...origin }: Package['documents'][number]): boolean {
  try {
    const object = KrmObject.fromDocument(text, origin)
    object.readAll()
    return object.isMap()
  } catch {
    return false
  }
}

/** Runs the three functions on documents, and returns the objects afterwards. */
function run(documents: Package['documents'], sources: readonly KrmObject[]): readonly KrmObject[] {
  const objects = documents.map(({ text, ...origin }) => KrmObject.fromDocument(text, origin))
  const hasContext = objects.some(({ kind, name, file }) => kind === 'ConfigMap' && name === 'kptfile.kpt.dev' && !file?.path.includes('/'))
  for (const fn of [...(hasContext ? [setContext] : []), prependPipeline, injectConfig]) {
    const list = ResourceList.of([...objects, ...sources], VARIANT)
    fn(list)
    expect(hasErrors(list.results)).toBe(false)
  }
  return objects
}

/** For each injection point a resource of its kind, whose content is that of the point with one field more. */
function makeSources(documents: Package['documents']): readonly KrmObject[] {
  const points = documents.map(({ text, ...origin }) => KrmObject.fromDocument(text, origin)).filter((object) => object.get(POINT))
  const kinds = new Map(points.map((point) => [`${point.apiVersion} ${point.kind}`, point]))
  return [...kinds.values()].map((point, index) => {
    const source = KrmObject.fromDocument(`apiVersion: ${point.apiVersion}\nkind: ${point.kind}\nmetadata: {name: made-up}\n`, {
      path: 'sources/made-up.yaml',
      index,
      line: 1,
    })
    const field = point.kind === 'ConfigMap' ? 'data' : 'spec'
    const content = point.get([field])
    source.set([field], { ...(isRecord(content) ? content : {}), madeUp: 'value' })
    return source
  })
}

/** An object without what the functions are to change in it. */
function withoutEdits({ object, isRoot }: { readonly object: KrmObject; readonly isRoot: boolean }): JsonRecord {
  const copy = KrmObject.fromDocument(object.toText())
  const isPoint = copy.get(POINT) !== undefined
  const paths = [
    ...(isRoot && copy.kind === 'Kptfile'
      ? [
          ['pipeline', 'mutators'],
          ['info', 'readinessGates'],
          ['status', 'conditions'],
        ]
      : []),
    ...(isRoot && copy.name === 'kptfile.kpt.dev' ? [['data', 'site']] : []),
    ...(isPoint ? [[copy.kind === 'ConfigMap' ? 'data' : 'spec'], ['metadata', 'annotations', 'kpt.dev/injected-resource']] : []),
  ]
  for (const path of paths) copy.delete(path)
  return withoutEmpty(copy.toJson())
}

function withoutEmpty(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !equalJson(value, {})))
}

const packages = here ? readPackages() : []

test.skipIf(!here).each(packages)(
  '$folder: only what must change does, every comment stays, a second run changes nothing',
  ({ documents }) => {
    const sources = makeSources(documents)
    const after = run(documents, sources)
    const subpackages = documents.flatMap(({ path }) => (path.endsWith('/Kptfile') ? [dirname(path)] : []))
    for (const [index, { path, text, ...origin }] of documents.entries()) {
      const object = after[index] ?? VARIANT
      const isRoot = !subpackages.some((folder) => path.startsWith(`${folder}/`))
      const before = KrmObject.fromDocument(text, { path, ...origin })
      if (!isRoot) expect(object.toText()).toBe(text)
      expect(lostLines(text, object.toText()).map((line) => `${path}: ${line}`)).toEqual([])
      expect(withoutEdits({ object, isRoot })).toEqual(withoutEdits({ object: before, isRoot }))
      if (isRoot && path === 'Kptfile') expect(object.get(['pipeline', 'mutators', 0])).toEqual(FUNCTION)
      if (isRoot && before.get(POINT))
        expect(lookup(object.toJson(), before.kind === 'ConfigMap' ? 'data' : 'spec')).toMatchObject({ madeUp: 'value' })
    }
    const again = run(
      documents.map((document, index) => ({ ...document, text: after[index]?.toText() ?? '' })),
      sources,
    )
    expect(again.map((object) => object.toText())).toEqual(after.map((object) => object.toText()))
  },
)

test.skipIf(!here)('the packages hold points, pipelines and contexts', () => {
  const objects = packages.flatMap(({ documents }) => documents.map(({ text }) => KrmObject.fromDocument(text)))
  const count = (holds: (object: KrmObject) => boolean): number => objects.filter(holds).length
  const points = count((object) => object.get(POINT) !== undefined)
  const pipelines = count((object) => object.kind === 'Kptfile' && object.get(['pipeline']) !== undefined)
  const contexts = count(({ kind, name }) => kind === 'ConfigMap' && name === 'kptfile.kpt.dev')
  console.log(`${packages.length} packages: ${points} injection points, ${pipelines} pipelines, ${contexts} package contexts`)
  expect(Math.min(points, pipelines, contexts)).toBeGreaterThanOrEqual(10)
})
