import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { readFleet } from './fleet.ts'
import type { Lookups } from './options.ts'
import { findSets } from './sets.ts'
import { list, resourceListOf, revision, setOf } from './testing/fleet-of-objects.ts'
import { findUpstream, workspaceOfRevision } from './upstream.ts'

/** Looks up the upstream of a set in the namespace of the set. */
function lookUp(upstream: JsonRecord, revisions: readonly JsonRecord[], lookups: Lookups = 'optional') {
  const { items } = resourceListOf([setOf([list('a')], { repo: 'catalog', package: 'app', ...upstream }), ...revisions])
  const fleet = readFleet(items)
  const [asked] = findSets({ items, functionConfig: undefined }, fleet.kinds)[0]?.set?.upstreams ?? []
  if (asked === undefined) throw new Error('no upstream')
  const found = findUpstream(asked, { fleet, namespace: 'default', lookups })
  const lines = found.faults.map((result) => formatResult(result).replace(/^\S+ /, ''))
  return { asked, fleet, found, lines, name: found.revision?.name, fault: found.faults[0] }
}

const inNamespace = (object: JsonRecord, namespace: string) => ({ ...object, metadata: { ...Object(object.metadata), namespace } })
const app = (number: number) => revision('catalog', 'app', number)

test.each([
  { rule: 'a revision by its number', upstream: { revision: 2 }, name: 'catalog-app-2' },
  { rule: 'a revision by its number as text', upstream: { revision: '2' }, name: 'catalog-app-2' },
  { rule: 'a revision by its name', upstream: { revision: 'v2' }, name: 'catalog-app-2' },
  { rule: 'a revision before a workspace', upstream: { revision: 2, workspaceName: 'w3' }, name: 'catalog-app-2' },
  { rule: 'a workspace', upstream: { workspaceName: 'w3' }, name: 'catalog-app-3' },
  { rule: 'a revision that is another text as a workspace', upstream: { revision: 'w3' }, name: 'catalog-app-3' },
  { rule: 'revision 0 as no revision beside a workspace', upstream: { revision: 0, workspaceName: 'w3' }, name: 'catalog-app-3' },
  { rule: 'a draft by its workspace', upstream: { workspaceName: 'w0' }, name: 'catalog-app-0' },
])('the lookup finds $rule', ({ upstream, name }) => {
  const found = lookUp(upstream, [revision('catalog', 'web', 2), app(0), app(1), app(3), app(2)])
  expect([found.name, found.lines]).toEqual([name, []])
})

test('the fields of variants have no empty ones', () => {
  expect(lookUp({ revision: 2, workspaceName: '' }, [app(2)]).found.fields).toEqual({ repo: 'catalog', package: 'app', revision: 2 })
})

test('without any PackageRevision no lookup is made, unless lookups are required', () => {
  expect(lookUp({ revision: 2 }, []).lines).toEqual([])
  expect(lookUp({ revision: 2 }, []).name).toBeUndefined()
  expect(lookUp({ revision: 2 }, [], 'required').lines).toEqual([
    "error: `spec.upstream` must name a PackageRevision of the list: package 'app' of repo 'catalog' in namespace 'default' has no revision 2, and no other revision [upstream-not-found]",
  ])
})

const start = "must name a PackageRevision of the list: package 'app' of repo 'catalog' in namespace 'default' has no"

test.each([
  {
    rule: 'the revision, where the package has others',
    upstream: { revision: 2 },
    revisions: [app(1), { ...app(0), spec: { repository: 'catalog', packageName: 'app' } }],
    line: `\`spec.upstream.revision\` ${start} revision 2, only revision 0, revision 1 (workspaceName 'w1')`,
  },
  {
    rule: 'the text of the revision, where it is a workspace',
    upstream: { revision: 'w2' },
    revisions: [app(1)],
    line: `\`spec.upstream.revision\` ${start} workspaceName 'w2', only revision 1 (workspaceName 'w1')`,
  },
  {
    rule: 'the workspace, where the package has others',
    upstream: { workspaceName: 'w2' },
    revisions: [app(1)],
    line: `\`spec.upstream.workspaceName\` ${start} workspaceName 'w2', only revision 1 (workspaceName 'w1')`,
  },
  {
    rule: 'the whole upstream, where the package is in other namespaces, which are named in order',
    upstream: { revision: 2 },
    revisions: [inNamespace(app(2), 'z'), inNamespace(app(2), 'b'), revision('catalog', 'apq', 2)],
    line: `\`spec.upstream\` ${start} revision 2, and no other revision; the package is in namespace 'b', 'z'`,
  },
  {
    rule: 'the package, where the repo has one of nearly that name',
    upstream: { revision: 2 },
    revisions: [revision('catalog', 'apq', 2), revision('other', 'app', 2)],
    line: `\`spec.upstream.package\` ${start} revision 2, and no other revision; did you mean 'apq'?`,
  },
  {
    rule: 'the repo, where one of nearly that name has the package',
    upstream: { revision: 2 },
    revisions: [revision('catalog', 'else', 2), revision('catalogs', 'app', 2)],
    line: `\`spec.upstream.repo\` ${start} revision 2, and no other revision; did you mean 'catalogs'?`,
  },
  {
    rule: 'the package, where only the repo is known',
    upstream: { revision: 2 },
    revisions: [revision('catalog', 'else', 2)],
    line: `\`spec.upstream.package\` ${start} revision 2, and no other revision`,
  },
  {
    rule: 'the repo, where only the package is known',
    upstream: { revision: 2 },
    revisions: [revision('elsewhere', 'app', 2)],
    line: `\`spec.upstream.repo\` ${start} revision 2, and no other revision`,
  },
  {
    rule: 'the whole upstream, where both are known and neither is near',
    upstream: { revision: 2 },
    revisions: [revision('catalog', 'else', 2), revision('elsewhere', 'app', 2)],
    line: `\`spec.upstream\` ${start} revision 2, and no other revision`,
  },
  {
    rule: 'the whole upstream, where neither is known in the namespace',
    upstream: { revision: 2 },
    revisions: [revision('x', 'y', 2), inNamespace(revision('catalog', 'apq', 2), 'z')],
    line: `\`spec.upstream\` ${start} revision 2, and no other revision`,
  },
])('an upstream that is not found is an error at $rule', ({ upstream, revisions, line }) => {
  const { lines, name } = lookUp(upstream, revisions)
  expect(lines).toEqual([`error: ${line} [upstream-not-found]`])
  expect(name).toBeUndefined()
})

test('the nearest package or repo is proposed as the value of its field', () => {
  const proposed = (...revisions: readonly JsonRecord[]) => lookUp({ revision: 2 }, revisions).fault?.field?.proposedValue
  expect(proposed(revision('catalog', 'apq', 2))).toBe('apq')
  expect(proposed(revision('catalogs', 'app', 2))).toBe('catalogs')
  expect(proposed(revision('catalog', 'else', 2))).toBeUndefined()
  expect(lookUp({ revision: 2 }, [app(1)]).fault?.tags.reason).toBe('UpstreamNotFound')
})

test.each([
  { rule: 'that of the PackageRevision with the number', revision: 2, workspace: 'w2' },
  { rule: 'that of the PackageRevision with the name', revision: 'v2', workspace: 'w2' },
  { rule: 'the name of a revision that the list does not have', revision: 5, workspace: 'v5' },
  { rule: 'the name of a revision whose PackageRevision names no workspace', revision: 3, workspace: 'v3' },
  { rule: 'a text that is no number as it is', revision: 'main', workspace: 'main' },
])('the workspace of a revision is $rule', ({ revision: asked, workspace }) => {
  const bare = { ...app(3), spec: { repository: 'catalog', packageName: 'app', revision: 3 } }
  const elsewhere = [inNamespace(app(5), 'other'), revision('catalog', 'web', 5)]
  const { asked: upstream, fleet } = lookUp({ revision: 2 }, [app(1), app(2), bare, ...elsewhere])
  expect(workspaceOfRevision(upstream, 'default', asked, fleet)).toBe(workspace)
})
