/** What a request may look like, by the name of its schema. */
export const requestExamples: Readonly<Record<string, readonly object[]>> = {
  Submission: [
    {
      title: 'lysozyme, crystal 7',
      proposal: 'mx1234',
      files: ['/data/mx1234/xtal7/data.mtz', '/data/mx1234/xtal7/model.pdb', '/data/mx1234/xtal7/lysozyme.fa'],
      advice: 'solve by molecular replacement, then stop after two refinements',
      settings: { max_cycles: 10 },
    },
  ],
  Resumption: [{ files: ['/data/mx1234/xtal7/ligand.cif'], advice: 'fit the ligand' }],
  ForkWish: [{ cycle: 3, advice: 'place the ligand first', settings: { max_cycles: 30 } }],
  AdviceChange: [{ advice: 'stop after the next refinement' }],
  ReadingWish: [{ advice: 'anomalous data at the selenium edge', experiment: 'xray' }],
  CycleRemoval: [{ count: 2 }],
  PriorityWish: [{ priority: 'backfill' }],
  PinWish: [{ reason: 'deposited as 9ABC' }],
  PurgeWish: [{ dryRun: true }],
  DeletionWish: [{ proposal: 'mx1234', reason: 'request of the user office', dryRun: true }],
  ApiKeyWish: [{ owner: 'ada', role: 'user', proposals: ['mx1234'], label: 'notebook', expires_in_days: 90 }],
  LaunchWish: [{ mode: 'paused', reason: 'maintenance of the file server' }],
  MaintenanceWish: [
    {
      from: '2026-12-01T08:00:00+01:00',
      until: '2026-12-01T12:00:00+01:00',
      text: 'the file server is moved',
      drainMinutes: 45,
    },
  ],
  MaintenanceChange: [{ until: '2026-12-01T14:00:00+01:00' }],
  StepRetry: [{ cause: 'knowledge.invalid', perMinute: 60 }],
  StepDrop: [{ steps: ['01jd7v9s6m2x4k8q0w5c3b1n7r-v5'], reason: 'the data set was withdrawn' }],
  SharesChange: [{ policy: {} }],
  RecoveryWish: [{ trust: { '01jd7v9s6m2x4k8q0w5c3b1n7r': '0123456789abcdef0123456789abcdef' }, by: 'ada' }],
  BatchWish: [
    {
      title: 'fragment campaign 3',
      proposal: 'mx1234',
      defaults: { files: ['/data/mx1234/apo.pdb'] },
      rows: [{ title: 'fragment 1', files: ['/data/mx1234/x1/data.mtz'] }],
    },
  ],
  DecideBody: [{ api_version: '2.0', files: ['data.mtz', 'model.pdb'], cycle_number: 1 }],
  RetryWish: [{ of: ['failed'] }],
  BatchPriorityWish: [{ priority: 'backfill' }],
  WebhookWish: [
    { url: 'https://elog.example.org/hooks/fleet', proposal: 'mx1234', label: 'electronic logbook' },
    { url: 'mailto:ada@example.org', proposal: 'mx1234', everyMinutes: 30 },
  ],
  ReplayWish: [{}],
};
