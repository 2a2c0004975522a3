export const TODAY = 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';
export const BACKUP = 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=';
