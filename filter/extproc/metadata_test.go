package extproc_test

import "google.golang.org/protobuf/types/known/structpb"

type structValue = structpb.Struct

func fields(key, value string) *structpb.Struct {
	return &structpb.Struct{Fields: map[string]*structpb.Value{key: structpb.NewStringValue(value)}}
}
