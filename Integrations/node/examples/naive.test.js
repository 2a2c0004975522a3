// The same with an app that pins nothing: this test fails, and says why.
import { after, test } from 'node:test'

import { PinDrill } from '../pindrill.js'
import { ask } from './app.js'

const pindrill = await PinDrill.open(process.env.STORY)
after(() => pindrill.close())

test('the app keeps to its pins', async () => {
  const pins = []
  const drill = await pindrill.drill('attacker-installed-root', { policy: 'leaf-and-backup' })
  await drill.play((attempt) => ask(attempt, pins))
  drill.expect('pass')
})
