/** Datasets that users brought in 2026: models from archives, data and crystals, unchanged. */
export const brought = (ground) => {
  const all = (folder, ...names) => names.map((name) => ground.at('unseen_2026', folder, name));
  return {
    em_3j6b_9: {
      what: 'chain 9 of the yeast mitoribosome in its map at 3.2 Å, whose place is in the ORIGIN record; charged atoms',
      must: 'with a better correlation than 0.70 and a geometry no worse than it came (favoured 88.1 %, clashscore 6.9)',
      files: () => all('em_3j6b_9', '2566_3J6B_9.mrc', '3J6B_9.pdb'),
    },
    beta_blip: {
      what: 'TEM1 beta-lactamase and its inhibitor BLIP at 3.0 Å, a model of each, without elements and cells',
      must: 'with both placed in P 32 2 1, R-free 0.25 to 0.30',
      files: () => all('beta_blip', 'beta_blip.mtz', 'beta.pdb', 'blip.pdb', 'beta.seq', 'blip.seq'),
    },
    mdm2_4qo4: {
      what: 'MDM2, the data of 4HG7 as deposited, searched with 4QO4 and its inhibitor 35S and waters',
      must: 'without 35S, R-free 0.24 to 0.28',
      files: () => all('mdm2_4qo4', '4hg7-sf.cif', '4qo4.pdb', '4hg7.seq'),
    },
    baz2b_x839: {
      what: 'BAZ2B with a fragment, in a cell 1.3 % off that of the model',
      must: 'by rigid body instead of a search, R-free 0.20 to 0.22',
      files: () => all('baz2b_x839', 'x839.mtz', 'BAZ2B.pdb', 'baz2b.pir', 'LIG.cif'),
    },
    thaumatin: {
      what: 'thaumatin at 1.43 Å, the data labelled P 4 2 2',
      must: 'in P 41 21 2, and say so',
      files: () => all('thaumatin', 'thaumatin.mtz', 'thaumatin.pdb'),
    },
    lowres_2h6o: {
      what: 'gp350 of EBV at 3.5 Å with its N-glycans',
      must: 'with the glycans, R-free 0.37 or lower (deposited 0.326/0.368) and a geometry no worse',
      files: () => all('lowres_2h6o', '2h6o.mtz', '2h6o.pdb'),
    },
  };
};
