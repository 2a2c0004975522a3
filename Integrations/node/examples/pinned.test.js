// An app that pins, under node:test: node --test pinned.test.js
import { after, test } from 'node:test'

import { PinDrill } from '../pindrill.js'
import { ask } from './app.js'

const pindrill = await PinDrill.open(process.env.STORY)
after(() => pindrill.close())

test('the app keeps to its pins', async () => {
  const pins = await pindrill.pins('leaf-and-backup')
  const drill = await pindrill.drill('attacker-installed-root', { policy: 'leaf-and-backup' })
  await drill.play((attempt) => ask(attempt, pins))
  drill.expect('pass')
})
