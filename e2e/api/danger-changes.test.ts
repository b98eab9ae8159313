import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { judgedRows } from '../../testdata/danger-changes/read-changes.ts'
import { ROOT } from '../run-program.ts'
import { ApiClient } from './api-client.ts'

const server = inject('apiServer')
const DEFINITION = 'CustomResourceDefinition'
const ROWS = judgedRows().flatMap((row) => (row.isJudged && row.after !== undefined ? [row] : []))
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Returns true if the table says that an API server refuses the change. */
function isRefused(has: readonly string[]): boolean {
  return has.some((danger) => danger.startsWith('immutable-') || danger === 'selector-misses-pods' || danger === 'limit-below-request')
}

describe.skipIf('absent' in server)('the validation of Kubernetes', () => {
  const rows = ROWS.filter(({ before }) => before.kind !== DEFINITION)
  const answers: { readonly created: string; readonly applied: string }[] = []

  beforeAll(() => {
    const program = join(ROOT, 'node_modules/.cache/judge')
    mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true })
    const args = ['build', '-C', 'e2e/deploy/kube-apiserver', '-ldflags=-s -w', '-o', program, './judge']
    const built = spawnSync('go', args, { cwd: ROOT, encoding: 'utf8' })
    if (built.status !== 0) throw new Error(built.stderr)
    const input = JSON.stringify(rows.map(({ before, after }) => ({ before, after })))
    answers.push(...JSON.parse(spawnSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 24 }).stdout))
  }, 900_000)

  test.each(rows.map((row, i) => ({ ...row, i })))('judges as the table does: $title', ({ has, i }) => {
    expect(answers[i]).toEqual({ created: '', applied: isRefused(has) ? expect.stringMatching(/./) : '' })
  })
})

describe.skipIf('absent' in server)('an API server', () => {
  test.each(ROWS.filter(({ before }) => before.kind === DEFINITION))('judges as the table does: $title', async ({ before, after, has }) => {
    const client = 'absent' in server ? undefined : new ApiClient(server)
    const place = `${DEFINITIONS}/things.example.com`
    const apply = async (value: object) => {
      const answer = await client?.request(
        'PATCH',
        `${place}?fieldManager=krm-variants&force=true`,
        JSON.stringify(value),
        'application/apply-patch+yaml',
      )
      return answer?.status ?? 0
    }
    const isThere = async () => (await client?.request('GET', place))?.status === 200
    expect(await apply(before)).toBeLessThan(300)
    try {
      // Names may change until the definition is established: the condition is there before, with the status False.
      const isEstablished = async () =>
        /"type":"Established","status":"True"|"status":"True","type":"Established"/.test(
          JSON.stringify((await client?.request('GET', place))?.body),
        )
      await expect.poll(isEstablished, { timeout: 20_000 }).toBe(true)
      expect((await apply(after ?? {})) >= 300).toBe(isRefused(has))
    } finally {
      await client?.request('DELETE', place)
      await expect.poll(isThere, { timeout: 20_000 }).toBe(false)
    }
  })
})
