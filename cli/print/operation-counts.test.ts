import { expect, test } from 'vitest'
import { countOperations } from './operation-counts.ts'

const found = ['update', 'create', 'update', 'delete'] as const

test('operations are counted in the order that is asked for, those that are not found or not asked for are left out', () => {
  const order = ['delete', 'remove', 'create', 'update'] as const
  expect(countOperations('file', { found, order, isWritten: false })).toBe('1 file to delete, 1 file to create, 2 files to update')
  expect(countOperations('file', { found, order: ['update'], isWritten: false })).toBe('2 files to update')
  expect(countOperations('file', { found: [], order, isWritten: false })).toBe('')
})

test('after a write operations are in the past', () => {
  const order = ['create', 'update', 'remove', 'delete', 'add', 'change'] as const
  expect(countOperations('object', { found: order, order, isWritten: true })).toBe(
    '1 object created, 1 object updated, 1 object removed, 1 object deleted, 1 object added, 1 object changed',
  )
})
