import { expect, test } from 'vitest'
import { EMPTY_FOLDER, fileInMemory, type WholeFolder } from '../folder/whole-folder.ts'
import { causeOfSubpackage, editInputs, kptfileIn, withUpstreams } from './raised-subpackages.ts'
import { type Files, KPTFILE_TEXT, stateOfFiles, variantText } from './testing/states-of-files.ts'

const AT = { repo: 'catalog', directory: '/net', ref: 'v1' }

const upstreamText = ({ repo, directory, ref }: typeof AT) =>
  `  type: git\n  git:\n    repo: ${repo}\n    directory: ${directory}\n    ref: ${ref}\n`

/** Returns the text of a Kptfile that asks for a revision and is at v1. */
const asking = (changed: Partial<typeof AT> = {}) =>
  `${KPTFILE_TEXT}upstream:\n${upstreamText({ ...AT, ...changed })}upstreamLock:\n${upstreamText(AT)}`

function folderOf(files: Files): WholeFolder {
  return { ...EMPTY_FOLDER, files: new Map(Object.entries(files).map(([path, text]) => [path, fileInMemory(Buffer.from(text), 0o644)])) }
}

/** Returns the inputs of an edited package `edge/web`, whose upstream has some more files. */
function inputsOf(before: Files, after: Files, upstream: Files = {}) {
  const carried = Object.fromEntries(Object.entries(upstream).map(([path, text]) => [`catalog/web@1/${path}`, text]))
  const state = stateOfFiles({ 'fleet/web.yaml': variantText('web', 'edge/web'), 'catalog/web@1/Kptfile': KPTFILE_TEXT, ...carried })
  return editInputs({ before: folderOf(before), after: folderOf(after) }, state.plan.steps[0], 'clusters')
}

/** Returns the causes of the subpackages that ask for another revision, each as TEXT: INPUT LINE. */
function causesOf(...sides: Parameters<typeof inputsOf>): readonly string[] {
  return inputsOf(...sides).flatMap((input) => {
    if (input.type === 'edit') return []
    const { text, inputs = [] } = causeOfSubpackage(input)
    return [`${text}: ${inputs.map((each) => `${each.text} ${each.file}:${each.line}`).join(', ')}`]
  })
}

test.each<[string, Partial<typeof AT>, string]>([
  ['revision', { ref: 'v2' }, 'catalog/net v1 → v2: upstream.git.ref: v1 → v2 clusters/edge/web/sub/Kptfile:10'],
  ['folder', { directory: '/dns' }, 'catalog/net v1 → catalog/dns v1: upstream.git clusters/edge/web/sub/Kptfile:7'],
  ['repository', { repo: 'mirror' }, 'catalog/net v1 → mirror/net v1: upstream.git clusters/edge/web/sub/Kptfile:7'],
])('a subpackage that asks for another %s is an input beside the edit', (_, changed, cause) => {
  const [before, after] = [{ 'sub/Kptfile': asking() }, { 'sub/Kptfile': asking(changed) }]
  expect(inputsOf(before, after).map(({ type }) => type)).toEqual(['subpackage', 'edit'])
  expect(causesOf(before, after)).toEqual([`subpackage sub: ${cause}`])
})

test('a package of its own, a new subpackage and one that comes with the upstream ask for nothing', () => {
  const raised = asking({ ref: 'v2' })
  expect(causesOf({ Kptfile: asking() }, { Kptfile: raised })).toEqual([])
  expect(causesOf({}, { 'sub/Kptfile': raised })).toEqual([])
  expect(causesOf({ 'sub/Kptfile': asking() }, { 'sub/Kptfile': asking() })).toEqual([])
  expect(causesOf({ 'sub/Kptfile': asking() }, { 'sub/Kptfile': raised }, { 'sub/Kptfile': raised })).toEqual([])
})

test('a folder with the upstreams of others asks for their revisions, and has all else as before', () => {
  const kptfile = kptfileIn(fileInMemory(Buffer.from(asking({ ref: 'v2' })), 0o644), 'Kptfile')
  if (kptfile === undefined) throw new Error('must be a Kptfile')
  const before = folderOf({ 'sub/Kptfile': asking(), 'sub/a.md': 'a' })
  const { files } = withUpstreams(before, [
    { folder: 'sub', kptfile },
    { folder: 'none', kptfile },
  ])
  const texts = Array.from(files, ([path, file]) => [path, Buffer.from(file.read()).toString()])
  expect(Object.fromEntries(texts)).toEqual({ 'sub/Kptfile': asking({ ref: 'v2' }), 'sub/a.md': 'a' })
})
