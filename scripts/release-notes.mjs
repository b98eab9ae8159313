// `node scripts/release-notes.mjs vX.Y.Z`: the notes of a release, which are its section of CHANGELOG.md.
// Fails when the tag is not the version of package.json, or there is nothing to tell.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './ready.mjs'

const [tag = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const sections = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m)
const notes = sections.find((section) => section.startsWith(`${tag}\n`))

if (tag !== `v${version}`) fail(`the tag must be v${version}, the version of package.json, got '${tag}'`)
else if (notes === undefined) fail(`CHANGELOG.md must have a section '## ${tag}'; what is new stands under Unreleased until then`)
else process.stdout.write(notes.slice(tag.length).trimStart())

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
