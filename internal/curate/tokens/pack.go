package tokens

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

const (
	perBucket = 4       // tokens of a bucket, on average
	seeds     = 1 << 16 // number of seeds that are tried for a bucket
)

// Pack returns the file of a vocabulary, given its tokens in the order of rank. Only tools/vocabularies calls it.
//
// All numbers are little endian. The file holds the number of buckets and the number of slots
// (4 bytes each), then the slots, the starts, the pairs, the seeds and the bytes of a [vocab].
// The slots are a perfect hash table after Belazzougui, Botelho and Dietzfelbinger, "Hash,
// displace, and compress": the tokens are divided into buckets, and, the largest bucket first,
// each bucket gets the first seed that places all its tokens in free slots.
func Pack(list []string) ([]byte, error) {
	slots, seed, err := arrange(list)
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(seed)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(slots)))
	var starts, bytes []byte
	for _, rank := range slots {
		starts = binary.LittleEndian.AppendUint32(starts, uint32(len(bytes)))
		word := uint32(noRank) // of an empty slot
		if rank != noRank {
			word = tag(hash(list[rank])) | rank
			bytes = append(bytes, list[rank]...)
		}
		out = binary.LittleEndian.AppendUint32(out, word)
	}
	out = append(out, starts...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(bytes)))
	for _, rank := range pairRanks(list) {
		out = binary.LittleEndian.AppendUint32(out, rank)
	}
	for _, s := range seed {
		out = binary.LittleEndian.AppendUint16(out, s)
	}
	return append(out, bytes...), nil
}

// arrange returns the rank in each slot, or noRank, and the seed of each bucket.
func arrange(list []string) (slots []uint32, seed []uint16, err error) {
	if len(list) == 0 || len(list) >= noRank || slices.Contains(list, "") {
		return nil, nil, errors.New("a vocabulary needs 1 to 262142 tokens, none of them empty")
	}
	seed = make([]uint16, len(list)/perBucket+1)
	slots = slices.Repeat([]uint32{noRank}, len(list)+len(list)/32+1)
	buckets := make([][]uint32, len(seed))
	for rank, token := range list {
		at := bucket(hash(token), uint64(len(seed)))
		buckets[at] = append(buckets[at], uint32(rank))
	}
	order := make([]int, len(buckets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(buckets[b]), len(buckets[a])) })
	for _, b := range order {
		s := 0
		for ; s < seeds && !settle(slots, list, buckets[b], uint64(s)); s++ {
		}
		if s == seeds {
			return nil, nil, errors.New("no perfect hash found: is a token listed twice?")
		}
		seed[b] = uint16(s)
	}
	return slots, seed, nil
}

// settle places tokens by a seed. If one of the slots is taken, settle changes nothing and returns false.
func settle(slots []uint32, list []string, ranks []uint32, seed uint64) bool {
	for i, rank := range ranks {
		at := &slots[place(hash(list[rank]), seed, uint64(len(slots)))]
		if *at != noRank {
			for _, undo := range ranks[:i] {
				slots[place(hash(list[undo]), seed, uint64(len(slots)))] = noRank
			}
			return false
		}
		*at = rank
	}
	return true
}

// pairRanks returns the rank of each pair of bytes.
func pairRanks(list []string) []uint32 {
	pairs := slices.Repeat([]uint32{noRank}, allPairs)
	for rank, token := range list {
		if len(token) == 2 {
			pairs[int(token[0])<<8|int(token[1])] = uint32(rank)
		}
	}
	return pairs
}
