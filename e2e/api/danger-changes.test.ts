import { describe, expect, inject, test } from 'vitest'
import { judgedRows } from '../../testdata/danger-changes/read-changes.ts'
import { ApiClient } from './api-client.ts'

const server = inject('apiServer')
// The server has no built-in kinds; of the others, it judges definitions.
const ROWS = judgedRows().filter(({ before, isJudged }) => before.kind === 'CustomResourceDefinition' && isJudged)
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

describe.skipIf('absent' in server)('an API server', () => {
  test.each(ROWS)('judges as the table does: $title', async ({ before, after, has }) => {
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
      const isEstablished = async () => JSON.stringify((await client?.request('GET', place))?.body).includes('"Established"')
      await expect.poll(isEstablished, { timeout: 20_000 }).toBe(true)
      const isRefused = (await apply(after ?? {})) >= 300
      expect(isRefused).toBe(has.includes('immutable-definition'))
    } finally {
      await client?.request('DELETE', place)
      await expect.poll(isThere, { timeout: 20_000 }).toBe(false)
    }
  })
})
