// Every folder of testdata: input.yaml goes in, expected.yaml must come out, byte for byte.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path) => readFileSync(new URL(`testdata/${path}`, import.meta.url), 'utf8')

for (const name of readdirSync(new URL('testdata', import.meta.url))) {
  test(name, () => {
    const { stdout, status } = spawnSync('node', ['dist/add-team.mjs'], { input: read(`${name}/input.yaml`), encoding: 'utf8' })
    assert.equal(stdout, read(`${name}/expected.yaml`))
    assert.equal(status, stdout.includes('severity: error') ? 1 : 0)
  })
}
